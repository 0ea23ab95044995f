/** Headers in which HTTP APIs take an idempotency key, in the spellings that code uses; names are compared as written. */
export function keyHeaders(headers: string): string[] {
  return ['Idempotency-Key', 'idempotency-key', 'X-Idempotency-Key', 'x-idempotency-key', 'Idempotence-Key', 'idempotencyKey'].map(
    (name) => `${headers}.${name}`,
  );
}
