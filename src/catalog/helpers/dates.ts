import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** Without an argument it is the clock, with one it is as stable as that. */
const clock = (name: string): Shape => ({ call: { mints: `${name}()`, derives: true } });
const derive: Shape = { call: { derives: true } };

/** dayjs 1.11, moment 2.30, moment-timezone. */
export default defineLibrary({
  name: 'dayjs',
  packages: ['dayjs', 'moment', 'moment-timezone', 'dayjs/*'],
  exports: {
    default: {
      ...clock('dayjs'),
      members: { utc: clock('utc'), tz: clock('tz'), now: clock('now'), ...alike('unix parseZone duration isDayjs isMoment', derive), ...alike<Shape>('extend locale', { call: {} }) },
    },
    utc: clock('utc'),
    unix: derive,
    duration: derive,
  },
});
