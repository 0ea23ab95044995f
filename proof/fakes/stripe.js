/** In the place of `stripe`: what it sends, as it sends it. Source: Stripe API reference, "Idempotent requests". */
const post = async (path, body, { idempotencyKey } = {}) => {
  const headers = { 'content-type': 'application/json', ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}) };
  const response = await fetch(`https://api.stripe.com/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Stripe answers ${response.status}`);
  return response.json();
};

const resource = (path) => ({ create: (body, options) => post(path, body, options) });

export default class Stripe {
  paymentIntents = resource('payment_intents');
  charges = resource('charges');
  refunds = resource('refunds');
  transfers = resource('transfers');
  invoices = resource('invoices');
  customers = resource('customers');
}

export { Stripe, Stripe as 'module.exports' };
