import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const clock = (name: string): Shape => ({ call: { mints: `DateTime.${name}()`, derives: true } });
const derive: Shape = { call: { derives: true } };

/** luxon 3: `local` and `utc` are the clock where they get no argument. */
export default defineLibrary({
  name: 'luxon',
  packages: ['luxon'],
  exports: {
    DateTime: {
      members: {
        now: { call: { mints: 'DateTime.now()' } },
        local: clock('local'),
        utc: clock('utc'),
        ...alike('fromISO fromMillis fromSeconds fromJSDate fromFormat fromSQL fromObject fromHTTP fromRFC2822', derive),
      },
    },
    Duration: { members: alike('fromMillis fromObject fromISO', derive) },
    Interval: { members: alike('fromDateTimes fromISO after before', derive) },
  },
});
