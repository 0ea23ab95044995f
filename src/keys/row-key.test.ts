import { describe, expect, it } from 'vitest';
import type { Stability } from '../model/effect.js';
import { rowKey } from './row-key.js';
import { tableKeys } from './table.js';

const row = (columns: Record<string, Stability>, open = false) => ({ columns: Object.entries(columns).map(([name, stability]) => ({ name, stability })), open });

const orders = tableKeys(['orders'], { uniqueKeys: [['id'], ['eventId'], ['shop', 'number']], made: ['id'], aliases: [['eventId', 'event_id'], ['store', 'shop']] });

describe('a row has its key', () => {
  it.each<[string, Parameters<typeof row>[0], string]>([
    ['from the message', { eventId: 'producer-stable', total: 'unknown' }, 'message'],
    ['from the broker, which gives a redelivery the same', { event_id: 'broker-stable' }, 'message'],
    ['by a relation and another column', { 'store.connect.id': 'producer-stable', number: 'producer-stable' }, 'message'],
    ['by a constant: there is one such row', { shop: 'constant', number: 'constant' }, 'message'],
    ['by a given id, though the database could make one', { id: 'producer-stable' }, 'message'],
    ['from somewhere', { eventId: 'unknown' }, 'unknown'],
    ['from the message, whatever else is somewhere', { shop: 'unknown', number: 'unknown', eventId: 'producer-stable' }, 'message'],
  ])('%s', (_, columns, from) => {
    expect(rowKey(row(columns), [orders]).from).toBe(from);
  });
});

describe('a row has none', () => {
  it('if its unique columns are left out', () => {
    expect(rowKey(row({ total: 'producer-stable' }), [orders])).toEqual({ from: 'nothing', made: ['id'] });
  });

  it('if they are new each time', () => {
    expect(rowKey(row({ id: 'minted', eventId: 'delivery' }), [orders])).toEqual({ from: 'nothing', made: ['id', 'eventId'] });
  });

  it('if a part of the only one is', () => {
    expect(rowKey(row({ shop: 'producer-stable', number: 'minted' }), [orders])).toEqual({ from: 'nothing', made: ['id', 'number'] });
  });

  it('if the table has none', () => {
    expect(rowKey(row({ page: 'producer-stable' }), [tableKeys(['views'])])).toEqual({ from: 'nothing', made: [] });
  });
});

describe('nobody can tell', () => {
  it('where columns cannot be seen', () => {
    expect(rowKey(row({ total: 'producer-stable' }, true), [orders]).from).toBe('unseen');
  });

  it('where a key is given in part', () => {
    expect(rowKey(row({ shop: 'producer-stable' }), [orders]).from).toBe('unseen');
  });

  it('without a schema, or with a part of one', () => {
    expect(rowKey(row({ total: 'producer-stable' }), []).from).toBe('unseen');
    expect(rowKey(row({ total: 'producer-stable' }), [tableKeys(['orders'], { uniqueKeys: [['eventId']], whole: false })]).from).toBe('unseen');
  });
});

it('all that is said of a table counts', () => {
  const index = tableKeys(['orders'], { uniqueKeys: [['ref']], whole: false });
  expect(rowKey(row({ ref: 'producer-stable' }), [orders]).from).toBe('nothing');
  expect(rowKey(row({ ref: 'producer-stable' }), [orders, index]).from).toBe('message');
});
