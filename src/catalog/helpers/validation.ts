import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** The value goes through: what is parsed is the message still. */
const parse: Shape = { call: { returns: '0' } };

/** zod 4, yup 1, joi 18, @sinclair/typebox: schemas are chains whose parsing methods give the value back. */
export default defineLibrary({
  name: 'zod',
  packages: ['zod', 'zod/*', 'yup', 'joi'],
  exports: {
    z: 'Builder',
    default: 'Builder',
    ...alike<Shape>(
      'object string number boolean array enum literal union discriminatedUnion record tuple unknown any nativeEnum coerce date strictObject looseObject',
      { call: { returns: 'Schema' } },
    ),
  },
  types: {
    Builder: { anyMember: { call: { returns: 'Schema' } } },
    ...alike<Shape>('Schema ZodSchema ZodType ZodObject AnySchema ObjectSchema', {
      members: {
        ...alike('parse parseAsync safeParse safeParseAsync validate validateSync validateAsync cast attempt', parse),
        shape: {},
      },
      anyMember: { call: { returns: 'this' } },
    }),
  },
});
