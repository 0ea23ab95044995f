import { defineLibrary } from '../schema.js';

/**
 * ffc-database 1.0.23 (app/database/base.js): loads the Sequelize models of a folder. `connect` gives an object with
 * every model under its name, beside `sequelize`, `Sequelize` and `Op`.
 */
export default defineLibrary({
  name: 'ffc-database',
  packages: ['ffc-database'],
  exports: { Database: { construct: { returns: 'Database' }, extendable: true } },
  types: {
    Database: { members: { connect: { call: { returns: 'Models' } } } },
    Models: {
      anyMember: 'sequelize#DefinedModel',
      members: { sequelize: 'sequelize#Sequelize', Sequelize: {}, Op: {} },
    },
  },
});
