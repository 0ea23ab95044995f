// Tells others of the message, with or without an id of its own.
export const message = { id: 'order-1', body: { total: 12 } };

export async function consume(delivery) {
  await delivery.publish('order-confirmed', delivery.message.body, process.env.WITH_ID ? { id: `${delivery.message.id}/confirmed` } : {});
  delivery.ack();
}
