import { defineLibrary } from '../schema.js';

/** @nestjs/mongoose 11: `@InjectModel`, `@InjectConnection`, `@Prop` and `@Schema` name things and do nothing by themselves. */
export default defineLibrary({
  name: '@nestjs/mongoose',
  packages: ['@nestjs/mongoose'],
  exports: {
    InjectModel: { call: {} },
    InjectConnection: { call: {} },
    Prop: { call: {} },
    Schema: { call: {} },
    SchemaFactory: { members: { createForClass: { call: {} } } },
    getModelToken: { call: { derives: true } },
  },
});
