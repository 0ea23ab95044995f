/** The JSON schema of `settings['idempotent-consumers']` and of the command's config file. */
const where = {
  name: {
    type: 'string',
    pattern: '^[A-Za-z_$][\\w$]*(\\(\\))?(\\.[\\w$]+(\\(\\))?)*$',
    description: 'Name of a function (`subscribe`), of a method (`Bus.subscribe`), or of a method of what a function gives (`createBus().subscribe`).',
  },
  package: { type: 'string', minLength: 1, description: 'The npm package that exports it.' },
  file: { type: 'string', minLength: 1, description: 'The file of the project that declares it, relative to the root; any file if neither this nor `package` is given.' },
};

const argument = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^(\\d+|last|this)(\\.([\\w$-]+|\\*))*$' },
  ],
  description: 'Position of an argument (`1`), or the path of something in it (`1.key`).',
};

const stability = { enum: ['producer-stable', 'broker-stable', 'delivery', 'minted', 'constant'] };

function named(required: string[], properties: Record<string, object>): object {
  return {
    type: 'array',
    items: {
      type: 'object',
      required: ['name', ...required],
      properties: { ...where, ...properties },
      additionalProperties: false,
      not: { required: ['package', 'file'] },
    },
  };
}

export const settingsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    handlers: named([], {
      name: { type: 'string', pattern: `${where.name.pattern}|^@[A-Za-z_$][\\w$]*$`, description: 'As elsewhere, or a decorator (`@OnMessage`).' },
      handler: { ...argument, description: 'Where the call takes the handler. Default 0; a decorator stands on it.' },
      message: { type: 'integer', minimum: 0, description: 'Which parameter of the handler is the message. Default 0.' },
      batch: { type: 'boolean', description: 'The message parameter is a list of messages.' },
      acknowledgement: { enum: ['on-return', 'explicit', 'on-delivery'], description: 'Default: on-return.' },
    }),
    acks: named([], {
      message: { ...argument, description: 'The message, or what names it. Default 0.' },
      as: { enum: ['ack', 'nack'], description: 'Default: ack.' },
    }),
    stores: named(['writes'], {
      writes: { enum: ['absolute', 'delta', 'insert', 'upsert', 'insert-or-ignore', 'guarded', 'delete', 'nothing'], description: 'The kind of write; `nothing` for a read.' },
      table: argument,
      key: { ...argument, description: 'What identifies the row.' },
      data: { ...argument, description: 'What is written.' },
      transaction: { ...argument, description: 'The transaction handle that it runs on.' },
    }),
    externalEffects: named([], {
      key: { ...argument, description: 'Where an idempotency key goes; left out if it takes none.' },
      idempotentBy: { ...argument, description: 'Doing it twice is doing it once if this is stable.' },
      idempotent: { type: 'boolean', description: 'Doing it twice is doing it once.' },
    }),
    dedupHelpers: named([], {
      key: { ...argument, description: 'The id that it is asked about. Default 0.' },
      seen: { type: ['boolean', 'string', 'number', 'null'], description: 'Its result for a message that was seen before. Default true.' },
      fresh: { type: ['boolean', 'string', 'number', 'null'], description: 'Its result for a new message. Default: not `seen`.' },
      records: { type: 'boolean', description: 'It records the message as well, in the same step. Default true.' },
      transaction: { ...argument, description: 'The transaction handle that it runs on.' },
    }),
    ids: {
      type: 'object',
      propertyNames: { pattern: '^[\\w$-]+(\\.[\\w$-]+)*$' },
      additionalProperties: stability,
      description: 'How stable a property of a message is, by its name or path (`meta.attempt`).',
    },
    redeliveryHorizons: {
      type: 'object',
      propertyNames: { minLength: 1 },
      additionalProperties: { type: 'string', pattern: '^\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)$' },
      description: 'How long after its first delivery a message of a client can come again (`14d`).',
    },
    projections: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Handlers that are rebuilt by replay: their names, their files, or folders.',
    },
  },
} as const;
