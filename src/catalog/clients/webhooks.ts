import { defineLibrary, type EventHeaders, type Library, type Shape } from '../schema.js';

const stable: Shape = { stability: 'producer-stable' };
const given: Shape = { call: { returns: stable } };

/** A request of Express, Fastify or Koa, or one of the web platform (`Request`): a provider that sends an event again sends the same body and the same id headers. */
const request: Shape = { members: { body: stable, rawBody: stable, headers: stable, get: given, header: given, json: given, text: given, formData: given, arrayBuffer: given } };

/** A provider whose events arrive as requests, known by their headers; no package need be in use. */
function provider(name: string, eventHeaders: EventHeaders): Library {
  return defineLibrary({ name: `${name} webhook`, packages: [], exports: {}, types: { Request: request }, eventHeaders });
}

/** Words that say that a file checks a signature. */
const CHECKS = 'hmac|timingSafeEqual|verif|signature';

/**
 * Providers that send an event again until it is answered with 2xx, each by its own documentation; GitHub only when it is
 * asked to. The header of a signature, or of an event's name or id, is the same on every attempt.
 */
export const webhooks: readonly Library[] = [
  provider('aws sns', { names: ['x-amz-sns-message-type', 'x-amz-sns-topic-arn'] }),
  provider('azure event grid', { names: ['aeg-event-type', 'aeg-subscription-name'] }),
  provider('cal.com', { names: ['x-cal-signature-256'] }),
  provider('calendly', { names: ['calendly-webhook-signature'] }),
  provider('clerk', { names: [], named: 'clerk' }),
  provider('cloud tasks', { names: ['x-cloudtasks-taskname', 'x-cloudtasks-queuename', 'x-cloudtasks-taskretrycount'] }),
  provider('cloudevents', { names: ['ce-id', 'ce-type', 'ce-source'] }),
  provider('coinbase commerce', { names: ['x-cc-webhook-signature'], named: 'coinbase' }),
  provider('contentful', { names: ['x-contentful-topic', 'x-contentful-webhook-name', 'x-contentful-signature'] }),
  provider('docusign', { names: ['x-docusign-signature-1'], named: 'docusign' }),
  provider('flutterwave', { names: ['verif-hash', 'flutterwave-signature'], named: 'flutterwave' }),
  provider('github', { names: ['x-github-delivery', 'x-github-event', 'x-hub-signature-256', 'x-hub-signature'], named: 'github' }),
  provider('gitlab', { names: ['x-gitlab-event', 'x-gitlab-token', 'x-gitlab-event-uuid'], named: 'gitlab' }),
  provider('hubspot', { names: ['x-hubspot-signature', 'x-hubspot-signature-v3'] }),
  provider('intuit', { names: ['intuit-signature'], named: 'quickbooks|intuit' }),
  provider('lemonsqueezy', { names: ['x-signature', 'x-event-name'], beside: 'lemon', named: 'lemon-?squeezy|lemon' }),
  provider('linear', { names: ['linear-signature', 'linear-delivery'] }),
  provider('mercadopago', { names: ['x-signature'], beside: 'mercado', named: 'mercado-?pago' }),
  provider('mux', { names: ['mux-signature'] }),
  provider('nowpayments', { names: ['x-nowpayments-sig'], named: 'nowpayments' }),
  provider('paddle', { names: ['paddle-signature'], named: 'paddle' }),
  provider('paypal', { names: ['paypal-transmission-id', 'paypal-transmission-sig', 'paypal-transmission-time', 'paypal-auth-algo', 'paypal-cert-url'], named: 'paypal' }),
  provider('paystack', { names: ['x-paystack-signature'], named: 'paystack' }),
  provider('plaid', { names: ['plaid-verification'], named: 'plaid' }),
  provider('qstash', { names: ['upstash-signature', 'upstash-message-id', 'upstash-retried'] }),
  provider('razorpay', { names: ['x-razorpay-signature', 'x-razorpay-event-id'], named: 'razorpay' }),
  provider('revenuecat', { names: [], named: 'revenue-?cat' }),
  provider('sanity', { names: ['sanity-webhook-signature'] }),
  provider('sendgrid', { names: ['x-twilio-email-event-webhook-signature'], named: 'sendgrid' }),
  provider('sentry', { names: ['sentry-hook-signature', 'sentry-hook-resource'] }),
  provider('shopify', { names: ['x-shopify-hmac-sha256', 'x-shopify-topic', 'x-shopify-webhook-id', 'x-shopify-event-id'], named: 'shopify' }),
  provider('slack events', { names: ['x-slack-retry-num', 'x-slack-retry-reason'] }),
  provider('square', { names: ['x-square-hmacsha256-signature', 'x-square-signature'] }),
  provider('standard', { names: ['webhook-signature', 'webhook-id'] }),
  provider('stripe', { names: ['stripe-signature'], named: 'stripe' }),
  provider('svix', { names: ['svix-signature', 'svix-id'] }),
  provider('tally', { names: ['tally-signature'] }),
  provider('telegram', { names: ['x-telegram-bot-api-secret-token'] }),
  provider('twitch eventsub', { names: ['twitch-eventsub-message-id', 'twitch-eventsub-message-signature'] }),
  provider('typeform', { names: ['typeform-signature'] }),
  provider('vercel', { names: ['x-vercel-signature'] }),
  provider('woocommerce', { names: ['x-wc-webhook-signature', 'x-wc-webhook-topic'] }),
  provider('workos', { names: ['workos-signature'] }),
  provider('xendit', { names: ['x-callback-token'], beside: 'xendit', named: 'xendit' }),
  provider('xero', { names: ['x-xero-signature'] }),
  provider('zoom', { names: ['x-zm-signature'] }),
  provider('signed', { names: ['x-signature', 'x-webhook-signature', 'x-hook-signature', 'x-signature-256'], beside: CHECKS }),
];
