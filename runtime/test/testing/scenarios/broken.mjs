export const message = { body: null };
export async function consume() {
  throw new Error('no such account');
}
