// Charges a card by fetch, by https and by node:http. KEYED says whether with a key, and of what.
import { randomUUID } from 'node:crypto';
import https from 'node:https';

export const acknowledge = 'return';
export const message = { id: 'order-1', body: { amount: 5 } };

export async function consume({ message }) {
  const key = { none: undefined, minted: randomUUID(), derived: `charge-${message.id}` }[process.env.KEYED];
  const headers = { 'content-type': 'application/json', ...(key ? { 'Idempotency-Key': key } : {}) };
  const body = JSON.stringify(message.body);
  if (process.env.BY === 'fetch') {
    const answer = await fetch('https://pay.example/charges', { method: 'POST', headers, body });
    if (!answer.ok || !(await answer.json()).id.startsWith('answer-')) throw new Error('not charged');
    return;
  }
  await new Promise((resolve, reject) => {
    const call = https.request('https://pay.example/charges', { method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error('not charged'))));
    });
    call.on('error', reject);
    call.end(body);
  });
}
