import { defineLibrary, type EffectFacts, type Shape } from '../schema.js';
import { alike } from './alike.js';

const write = (facts: Partial<EffectFacts>, returns?: string): Shape => ({
  call: { effect: { kind: 'write', table: 'receiver', ...facts }, nodeCallback: true, returns },
});
const read: Shape = { call: { effect: { kind: 'read', table: 'receiver', where: '0' }, returns: 'Item', nodeCallback: true } };
const chain: Shape = { call: { effect: { kind: 'read', table: 'receiver', where: '0' }, returns: 'Query' } };

/** `create` adds `attribute_not_exists`, `save` of an item overwrites: their defaults differ. */
const model: Shape = {
  construct: { returns: 'Item' },
  members: {
    ...alike('get batchGet', read),
    ...alike('query scan', chain),
    create: write({ writeKind: 'insert', data: '0' }, 'Item'),
    batchPut: write({ writeKind: 'upsert', data: '0', partialFailureIn: 'unprocessedItems' }),
    update: write({ writeKind: 'absolute', where: '0', data: '1', classify: { by: 'operators', data: '1', delta: ['$ADD'], where: '2.condition' } }),
    delete: write({ writeKind: 'delete', where: '0' }),
    batchDelete: write({ writeKind: 'delete', where: '0' }),
    transaction: { members: alike<Shape>('create update delete get condition', { call: { derives: true } }) },
  },
};

/** dynamoose 4.2. A failed condition rejects with `ConditionalCheckFailedException`. */
export default defineLibrary({
  name: 'dynamoose',
  packages: ['dynamoose'],
  exports: {
    model: { call: { returns: 'Model' } },
    transaction: { call: { effect: { kind: 'write', data: '0' }, nodeCallback: true } },
    Condition: { construct: { derives: true }, call: { derives: true } },
  },
  types: {
    Model: model,
    ModelType: model,
    Item: {
      extendable: true,
      members: {
        save: write({ classify: { by: 'entity', entity: 'this' }, data: 'this' }, 'this'),
        delete: write({ writeKind: 'delete' }),
        populate: { call: { returns: 'this' } },
      },
    },
    Query: {
      element: 'Item',
      members: alike<Shape>('eq lt le gt ge contains beginsWith between where filter and or limit startAt attributes using sort all exec', {
        call: { returns: 'this' },
      }),
    },
  },
});
