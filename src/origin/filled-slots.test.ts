import { expect, it } from 'vitest';
import { call, project } from '../../fixtures/command-runner.js';

it('knows what is put into the empty slots of an object', async () => {
  const { out } = await call(
    project({
      'main.js': `import { Worker } from 'bullmq';
import { Pool } from 'pg';
const pool = new Pool();

class Parcels {
  constructor() {
    this.handlers = { created: null, removed: null };
  }
  on(removed) {
    this.handlers.removed = removed;
  }
  start() {
    new Worker('parcels', async (job) => {
      await this.handlers.removed(job.data);
    });
  }
}

const parcels = new Parcels();
parcels.on(async (parcel) => {
  await pool.query('DELETE FROM parcels WHERE id = $1', [parcel.id]);
});
parcels.start();
`,
    }),
    ['--explain', 'main.js:21'],
  );
  expect(out).toMatch(/main\.js:21\s+pool\.query write/);
});
