import pg from 'pg';

export class Archive {
  private readonly pool = new pg.Pool();

  async keep(ticket: string): Promise<void> {
    await this.pool.query('INSERT INTO archive VALUES ($1) ON CONFLICT (ticket) DO NOTHING', [ticket]);
  }
}
