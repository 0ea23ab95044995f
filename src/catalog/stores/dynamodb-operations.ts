import type { Call, EffectFacts } from '../schema.js';

const write = (operation: 'put' | 'update' | 'delete' | 'transact' | 'batch', facts: Partial<EffectFacts>): Call => ({
  effect: { kind: 'write', table: '0.TableName', classify: { by: 'dynamodb', params: '0', operation }, ...facts },
});

/** What both DynamoDB packages offer under different names. A failed condition rejects with `ConditionalCheckFailedException`. */
export const read: Call = { effect: { kind: 'read', table: '0.TableName', where: '0.Key' } };
export const put = write('put', { data: '0.Item', where: '0.Item' });
export const update = write('update', { where: '0.Key', data: '0.ExpressionAttributeValues' });
export const remove = write('delete', { where: '0.Key' });
/** Takes no conditions; entries that did not get through are in `UnprocessedItems`, nothing throws. */
export const batch = write('batch', { data: '0.RequestItems', partialFailureIn: 'UnprocessedItems' });
/** Where no token is given the SDK makes one up, which covers its own retries only. */
export const transact = write('transact', { data: '0.TransactItems', key: '0.ClientRequestToken' });
/** PartiQL text, not read. */
export const statement: Call = { effect: { kind: 'write', data: '0.Parameters' } };
