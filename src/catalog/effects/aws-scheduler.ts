import { defineLibrary } from '../schema.js';
import { awsClient } from './aws-commands.js';

/** @aws-sdk/client-scheduler: a schedule is unique by its name within a group, so a second one of the same name is refused; `ClientToken` repeats the answer. */
export default defineLibrary(
  awsClient('@aws-sdk/client-scheduler', 'Scheduler', {
    CreateSchedule: { effect: { kind: 'external', key: '0.ClientToken', idempotentBy: '0.Name' } },
    UpdateSchedule: { effect: { kind: 'external', idempotentBy: '0.Name' } },
    DeleteSchedule: { effect: { kind: 'external', idempotentBy: '0.Name' } },
    GetSchedule: { effect: { kind: 'read' } },
    ListSchedules: { effect: { kind: 'read' } },
  }),
);
