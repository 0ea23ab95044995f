// Charges a card by HTTP, with a key by which the other side knows a repeat.
export const message = { id: 'order-1', body: { amount: 5 } };

export async function consume({ message: { id, body }, ack }) {
  const answer = await fetch('https://pay.example/charges', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': `charge-${id}`, // remove this line
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`not charged: ${answer.status}`);
  ack();
}
