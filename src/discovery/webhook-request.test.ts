import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

const answering = `export function answering(handle, before) {
  return async (request, context) => {
    let asked = request;
    if (before) {
      const answer = await before(request);
      if (answer instanceof Response) return answer;
      asked = answer;
    }
    return handle(asked, context);
  };
}
`;

const route = `import { PrismaClient } from '@prisma/client';
import { createHmac } from 'node:crypto';
import { answering } from '../answering';
const prisma = new PrismaClient();

export const POST = answering(async (request) => {
  const text = await request.text();
  if (request.headers.get('x-signature') !== createHmac('sha256', 'secret').update(text).digest('hex')) throw new Error('not theirs');
  const { account } = JSON.parse(text);
  await prisma.account.update({ where: { id: account.id }, data: { plan: account.plan } });
  return Response.json({ ok: true });
});
`;

// The body is the same on each attempt of the provider; the wrapper hands on what it was given where nothing stands before.
it('knows the request of a signed webhook behind a wrapper', async () => {
  const { out } = await call(project({ 'answering.js': answering, 'hook/route.js': route }), ['--format', 'json', '--preset', 'strict']);
  const { handlers } = JSON.parse(out) as { handlers: { file: string; client: string; findings: { rule: string; line: number }[] }[] };
  expect(handlers.map((h) => `${h.file} ${h.client}`)).toEqual(['hook/route.js signed webhook']);
  expect(handlers.flatMap((h) => h.findings.map((f) => `${f.rule}:${String(f.line)}`))).toContain('require-sequence-gate:10');
});
