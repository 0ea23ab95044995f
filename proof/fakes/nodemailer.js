/** In the place of `nodemailer`: SMTP knows no key, so that each mail is one more. */
import { effect } from '@idempotent-consumers/inbox/testing';

export const createTransport = () => ({
  sendMail: ({ to, subject }) => effect('a mail', { body: { to, subject } }, () => ({ messageId: '<sent@mail.example>' })),
});

const nodemailer = { createTransport };
export default nodemailer;
export { nodemailer as 'module.exports' };
