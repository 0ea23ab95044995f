import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultCatalog } from '../catalog/index.js';
import { Evaluator } from '../origin/evaluate.js';
import { Files } from '../syntax/files.js';
import { Sources } from '../syntax/program.js';
import { Schemas } from './schemas.js';

let root = '';
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** What the schemas in these files say of one table, all of them together. */
function keysOf(table: string, files: Record<string, string>) {
  root = mkdtempSync(join(tmpdir(), 'idempotent-consumers-keys-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const found = new Schemas(new Evaluator(new Sources(new Files(root)), defaultCatalog())).declared(table);
  const sorted = (keys: readonly string[]): string => keys.join('+');
  return {
    keys: [...new Set(found.flatMap((t) => t.uniqueKeys).map(sorted))].sort(),
    made: [...new Set(found.flatMap((t) => t.made))].sort(),
    whole: found.some((t) => t.whole),
  };
}

const NOTHING = { keys: [], made: [], whole: false };

describe('schema.prisma', () => {
  const schema = `
    generator client { provider = "prisma-client-js" }

    model Booking {
      id        Int      @id @default(autoincrement())
      eventId   String?  @unique @map("event_id") // given by the producer
      seat      Seat     @relation(fields: [seatId], references: [id])
      seatId    Int
      show      String   @db.VarChar(20)
      createdAt DateTime @default(now())

      @@unique([seatId, show(sort: Desc)], map: "one_guest")
      @@map("bookings")
    }

    model Seat {
      id   String @id @default(cuid())
      row  String
    }
  `;

  it('gives the keys of a model, by its name and its table', () => {
    const booking = { keys: ['eventId', 'id', 'seatId+show'], made: ['createdAt', 'id'], whole: true };
    expect(keysOf('booking', { 'prisma/schema.prisma': schema })).toEqual(booking);
    expect(keysOf('bookings', { 'prisma/schema.prisma': schema })).toEqual(booking);
  });

  it('may be split over files', () => {
    expect(keysOf('seat', { 'prisma/schema/a.prisma': 'model Other {\n id Int @id\n}', 'prisma/schema/seat.prisma': schema })).toEqual({ keys: ['id'], made: ['id'], whole: true });
  });

  it('says nothing of other tables', () => {
    expect(keysOf('payment', { 'schema.prisma': schema })).toEqual(NOTHING);
  });
});

describe('SQL files', () => {
  it('are one history for each folder', () => {
    const files = {
      'db/migrations/001_orders.sql': 'CREATE TABLE orders (id bigserial PRIMARY KEY, event_id text, total int);',
      'db/migrations/002_once.sql': 'CREATE UNIQUE INDEX once ON orders (event_id);',
      'db/migrations/002_once.down.sql': 'DROP INDEX once;',
    };
    expect(keysOf('orders', files)).toEqual({ keys: ['event_id', 'id'], made: ['id'], whole: true });
  });

  it('are read without the part that takes a migration back', () => {
    const text = '-- migrate:up\nCREATE TABLE orders (id uuid PRIMARY KEY);\n\n-- migrate:down\nDROP TABLE orders;\n';
    expect(keysOf('orders', { 'db/001.sql': text })).toEqual({ keys: ['id'], made: [], whole: true });
  });

  it('may have a folder for each migration', () => {
    const files = {
      'prisma/migrations/1_init/migration.sql': 'CREATE TABLE "Order" (id text PRIMARY KEY, ref text)',
      'prisma/migrations/2_ref/migration.sql': 'CREATE UNIQUE INDEX "Order_ref_key" ON "Order"("ref");',
    };
    expect(keysOf('Order', files)).toEqual({ keys: ['id', 'ref'], made: [], whole: true });
  });

  it('of tests do not count', () => {
    expect(keysOf('orders', { 'test/setup.sql': 'CREATE TABLE orders (id serial)' })).toEqual(NOTHING);
  });

  it('tell of a table that has no key at all', () => {
    expect(keysOf('views', { 'supabase/migrations/1.sql': 'create table public.views (path text, seen_at timestamptz)' })).toEqual({ keys: [], made: [], whole: true });
  });
});

it('SQL in strings of migrations is read, but for what takes it back', () => {
  const text = `
    export class Init1700000000000 {
      async up(queryRunner) {
        await queryRunner.query(\`CREATE TABLE "payments" ("id" SERIAL PRIMARY KEY, "charge" text)\`);
        await queryRunner.query('ALTER TABLE "payments" ADD CONSTRAINT "UQ_charge" UNIQUE ("charge")');
      }
      async down(queryRunner) {
        await queryRunner.query('ALTER TABLE "payments" DROP CONSTRAINT "UQ_charge"');
      }
    }
  `;
  expect(keysOf('payments', { 'src/migrations/1-init.ts': text })).toEqual({ keys: ['charge', 'id'], made: ['id'], whole: true });
});

describe('Drizzle', () => {
  it('has keys on columns and beside them', () => {
    const text = `
      import { pgTable, serial, text, uuid, unique, uniqueIndex, primaryKey } from 'drizzle-orm/pg-core';
      import { stamps } from './stamps';
      export const tickets = pgTable('event_tickets', {
        ...stamps,
        id: serial('id').primaryKey(),
        code: text('ticket_code').notNull().unique(),
        token: uuid('token').defaultRandom(),
        show: text('show'),
        seat: text('seat'),
      }, (t) => [unique('one').on(t.show, t.seat), uniqueIndex('two').on(t.token)]);
    `;
    const stamps = `export const stamps = { ref: text('ref').unique() };`;
    expect(keysOf('event_tickets', { 'src/schema.ts': text, 'src/stamps.ts': stamps })).toEqual({ keys: ['code', 'id', 'ref', 'show+seat', 'token'], made: ['id', 'token'], whole: true });
  });

  it('takes keys that a helper adds', () => {
    const text = `
      import { mysqlTable, char, primaryKey } from 'drizzle-orm/mysql-core';
      const byTenant = (t) => ({ pk: primaryKey({ columns: [t.tenantID, t.id] }) });
      export const alert = mysqlTable('alert', { tenantID: char('tenant_id'), id: char('id') }, (t) => ({ ...byTenant(t) }));
    `;
    expect(keysOf('alert', { 'alert.sql.ts': text })).toEqual({ keys: ['tenantID+id'], made: [], whole: true });
  });
});

describe('entities', () => {
  it('of TypeORM have keys by decorator, of their base classes too', () => {
    const text = `
      import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryGeneratedColumn, Unique } from 'typeorm';
      class Base { @PrimaryGeneratedColumn('uuid') id: string; }
      @Entity('invoices')
      @Unique(['customerId', 'month'])
      @Index('once', ['series', 'number'], { unique: true })
      export class Invoice extends Base {
        @Column({ name: 'customer_id' }) customerId: string;
        @Column() month: string;
        @Column({ unique: true }) eventId: string;
        @Column() number: number;
        @OneToOne(() => Order) @JoinColumn() order: Order;
      }
    `;
    const invoice = { keys: ['customerId+month', 'eventId', 'id', 'order', 'series+number'], made: ['id'], whole: true };
    expect(keysOf('Invoice', { 'src/invoice.entity.ts': text })).toEqual(invoice);
    expect(keysOf('invoices', { 'src/invoice.entity.ts': text })).toEqual(invoice);
  });

  it('of MikroORM have them too', () => {
    const text = `
      import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/core';
      import { v4 } from 'uuid';
      @Entity({ tableName: 'shipments' })
      @Unique({ properties: ['carrier', 'parcel'] })
      export class Shipment {
        @PrimaryKey({ type: 'uuid' }) id: string = v4();
        @Property() @Unique() label!: string;
      }
    `;
    expect(keysOf('shipments', { 'shipment.ts': text })).toEqual({ keys: ['carrier+parcel', 'id', 'label'], made: ['id'], whole: true });
  });

  it('of sequelize-typescript have them too', () => {
    const text = `
      import { AutoIncrement, Column, Model, PrimaryKey, Table, Unique } from 'sequelize-typescript';
      @Table({ tableName: 'readings', indexes: [{ unique: true, fields: ['meter', 'at'] }] })
      export class Reading extends Model {
        @PrimaryKey @AutoIncrement @Column id: number;
        @Unique @Column ref: string;
      }
    `;
    expect(keysOf('Reading', { 'reading.ts': text })).toEqual({ keys: ['id', 'meter+at', 'ref'], made: ['id'], whole: true });
  });

  it('may be written as an EntitySchema', () => {
    const text = `
      import { EntitySchema } from 'typeorm';
      export const Visit = new EntitySchema({ name: 'Visit', columns: { id: { primary: true, generated: 'increment' }, badge: { unique: true } } });
    `;
    expect(keysOf('Visit', { 'visit.ts': text })).toEqual({ keys: ['badge', 'id'], made: ['id'], whole: true });
  });
});

describe('Sequelize', () => {
  it('gives a model an id if it has no primary key', () => {
    const text = `
      module.exports = (sequelize, DataTypes) => {
        const Order = sequelize.define('order', {
          ref: { type: DataTypes.STRING, unique: true },
          shop: { type: DataTypes.STRING, unique: 'slot' },
          slot: { type: DataTypes.STRING, unique: 'slot', field: 'time_slot' },
        }, { tableName: 'shop_orders', indexes: [{ unique: true, fields: ['code'] }] });
        return Order;
      };
    `;
    expect(keysOf('shop_orders', { 'models/order.js': text })).toEqual({ keys: ['code', 'id', 'ref', 'shop+slot'], made: ['id'], whole: true });
  });

  it('takes models that are classes', () => {
    const text = `
      const { DataTypes, Model } = require('sequelize');
      class Card extends Model {}
      Card.init({ number: { type: DataTypes.STRING, primaryKey: true } }, { sequelize, modelName: 'card' });
    `;
    expect(keysOf('Card', { 'card.js': text })).toEqual({ keys: ['number'], made: ['number'], whole: true });
  });
});

describe('MongoDB', () => {
  it('has an _id, and what the schema of a model makes unique', () => {
    const text = `
      import { Schema, model } from 'mongoose';
      const donationSchema = new Schema({ eventId: { type: String, unique: true }, donor: { mail: { type: String, unique: true } }, run: String, lap: Number });
      donationSchema.index({ run: 1, lap: 1 }, { unique: true });
      export const Donation = model('Donation', donationSchema);
    `;
    expect(keysOf('Donation', { 'donation.ts': text })).toEqual({ keys: ['_id', 'donor.mail', 'eventId', 'run+lap'], made: ['_id'], whole: true });
  });

  it('knows the classes of Nest', () => {
    const text = `
      @Schema()
      export class Vote { @Prop({ unique: true }) ballot: string; @Prop() voter: string; }
      export const VoteSchema = SchemaFactory.createForClass(Vote);
      VoteSchema.index({ voter: 1 }, { unique: true });
    `;
    expect(keysOf('Vote', { 'vote.ts': text })).toEqual({ keys: ['_id', 'ballot', 'voter'], made: ['_id'], whole: true });
  });

  it('knows the indexes that the code makes', () => {
    const text = `
      import { MongoClient } from 'mongodb';
      const orders = new MongoClient('').db().collection('orders');
      await orders.createIndex({ eventId: 1 }, { unique: true });
      await orders.createIndex({ status: 1 });
    `;
    expect(keysOf('orders', { 'setup.ts': text })).toEqual({ keys: ['eventId'], made: [], whole: false });
  });
});

describe('migrations that are calls', () => {
  it('of Knex', () => {
    const text = `
      exports.up = async (knex) => {
        await knex.schema.createTable('rides', (t) => {
          t.increments();
          t.uuid('token').defaultTo(knex.raw('gen_random_uuid()'));
          t.string('ticket').notNullable().unique();
          t.integer('bike').references('bikes.id');
          t.timestamp('at');
          t.unique(['bike', 'at']);
        });
        await knex.schema.alterTable('rides', (t) => t.unique('token'));
      };
      exports.down = (knex) => knex.schema.createTable('rides', (t) => t.string('x').unique());
    `;
    expect(keysOf('rides', { 'migrations/1.js': text })).toEqual({ keys: ['bike+at', 'id', 'ticket', 'token'], made: ['id', 'token'], whole: true });
  });

  it('of node-pg-migrate', () => {
    const text = `
      exports.up = (pgm) => {
        pgm.createTable('rides', { id: 'id', ticket: { type: 'text', unique: true }, bike: 'int', at: 'timestamp' }, { constraints: { unique: [['bike', 'at']] } });
        pgm.addConstraint('rides', 'one', { unique: ['code'] });
        pgm.createIndex('rides', 'token', { unique: true });
        pgm.createIndex('rides', 'bike');
      };
    `;
    expect(keysOf('rides', { 'migrations/1.js': text })).toEqual({ keys: ['bike+at', 'code', 'id', 'ticket', 'token'], made: ['id'], whole: true });
  });

  it('of Sequelize', () => {
    const text = `
      module.exports = {
        async up(queryInterface, Sequelize) {
          await queryInterface.createTable('rides', { id: { type: Sequelize.UUID, primaryKey: true, defaultValue: Sequelize.UUIDV4 }, ticket: { type: Sequelize.STRING, unique: true } });
          await queryInterface.addConstraint('rides', { type: 'unique', fields: ['bike', 'at'] });
          await queryInterface.addIndex('rides', ['token'], { unique: true });
        },
      };
    `;
    expect(keysOf('rides', { 'migrations/1.js': text })).toEqual({ keys: ['bike+at', 'id', 'ticket', 'token'], made: ['id'], whole: true });
  });

  it('of Kysely', () => {
    const text = `
      export async function up(db) {
        await db.schema.createTable('rides').addColumn('id', 'serial', (c) => c.primaryKey()).addColumn('ticket', 'text').addUniqueConstraint('one', ['bike', 'at']).execute();
        await db.schema.createIndex('two').unique().on('rides').column('ticket').execute();
      }
    `;
    expect(keysOf('rides', { 'migrations/1.ts': text })).toEqual({ keys: ['bike+at', 'id', 'ticket'], made: ['id'], whole: true });
  });

  it('of TypeORM', () => {
    const text = `
      export class Init1 {
        async up(q) {
          await q.createTable(new Table({ name: 'rides', columns: [{ name: 'id', type: 'uuid', isPrimary: true, isGenerated: true }, { name: 'ticket', isUnique: true }], uniques: [{ columnNames: ['bike', 'at'] }] }));
          await q.createIndex('rides', new TableIndex({ columnNames: ['token'], isUnique: true }));
        }
      }
    `;
    expect(keysOf('rides', { 'migrations/1.ts': text })).toEqual({ keys: ['bike+at', 'id', 'ticket', 'token'], made: ['id'], whole: true });
  });
});

describe('changelogs of Liquibase', () => {
  it('in XML', () => {
    const text = `
      <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog">
        <changeSet author="fleet" id="1">
          <addUniqueConstraint columnNames="bike, at" tableName="rides"
            constraintName="one" />
          <addPrimaryKey tableName='rides' columnNames='id'/>
          <createIndex indexName="two" tableName="rides" unique="true">
            <column name="ticket"/>
          </createIndex>
          <createIndex indexName="three" tableName="rides"><column name="at"/></createIndex>
          <!-- <addUniqueConstraint columnNames="off" tableName="rides"/> -->
          <rollback><addUniqueConstraint columnNames="before" tableName="rides"/></rollback>
        </changeSet>
      </databaseChangeLog>
    `;
    expect(keysOf('rides', { 'changelog/1.xml': text })).toEqual({ keys: ['bike+at', 'id', 'ticket'], made: [], whole: false });
  });

  it('in YAML', () => {
    const text = `
databaseChangeLog:
  - changeSet:
      id: 1
      author: fleet
      changes:
        - addUniqueConstraint: { tableName: rides, columnNames: 'bike, at' }
        - createIndex:
            tableName: rides
            unique: true
            columns:
              - column: { name: ticket }
      rollback:
        - addUniqueConstraint: { tableName: rides, columnNames: before }
`;
    expect(keysOf('rides', { 'changelog/1.yaml': text })).toEqual({ keys: ['bike+at', 'ticket'], made: [], whole: false });
  });
});

it('a model and the migrations of its table are one table', () => {
  const files = {
    'ride.entity.ts': `@Entity('rides') export class Ride { @PrimaryGeneratedColumn() id: number; @Column() ticket: string; }`,
    'migrations/1.sql': 'CREATE UNIQUE INDEX one ON rides (ticket);',
  };
  expect(keysOf('Ride', files)).toEqual({ keys: ['id', 'ticket'], made: ['id'], whole: true });
});
