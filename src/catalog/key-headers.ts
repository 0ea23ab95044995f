/** APIs that recognise a repeated request by a header, by their host. */
const KEY_HEADERS: readonly { host: RegExp; header: string }[] = [
  { host: /\bapi\.stripe\.com\b/, header: 'Idempotency-Key' },
  { host: /\bapi\.resend\.com\b/, header: 'Idempotency-Key' },
  { host: /\bapi\.mollie\.com\b/, header: 'Idempotency-Key' },
  { host: /\bapi(-sandbox)?\.gocardless\.com\b/, header: 'Idempotency-Key' },
  { host: /\.adyen(payments)?\.com\b/, header: 'Idempotency-Key' },
  { host: /\bapi(-m)?(\.sandbox)?\.paypal\.com\b/, header: 'PayPal-Request-Id' },
];

/** The header by which the API at this URL recognises a repeat; undefined where nothing is known of it. */
export function keyHeaderOf(url: string): string | undefined {
  return KEY_HEADERS.find((k) => k.host.test(url))?.header;
}
