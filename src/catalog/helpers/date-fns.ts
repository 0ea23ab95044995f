import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** date-fns 4: all of them compute from their arguments; the clock comes in as `new Date()`. */
export default defineLibrary({
  name: 'date-fns',
  packages: ['date-fns', 'date-fns/*', 'date-fns-tz'],
  exports: alike<Shape>(
    'add addDays addHours addMinutes addSeconds addMonths addYears addWeeks sub subDays subHours subMinutes subMonths format formatISO parse parseISO ' +
      'startOfDay endOfDay startOfMonth endOfMonth startOfWeek endOfWeek startOfHour differenceInDays differenceInHours differenceInMinutes ' +
      'differenceInSeconds differenceInMilliseconds getTime getUnixTime fromUnixTime toDate isAfter isBefore isValid max min utcToZonedTime zonedTimeToUtc',
    { call: { derives: true } },
  ),
});
