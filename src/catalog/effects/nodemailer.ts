import { defineLibrary, type Shape } from '../schema.js';

const transporter: Shape = {
  members: {
    sendMail: { call: { effect: { kind: 'external', data: '0', key: '0.messageId', keyIsCarried: true }, nodeCallback: true } },
    verify: { call: { effect: { kind: 'read' }, nodeCallback: true } },
    use: { call: { returns: 'this' } },
    on: { call: { returns: 'this' } },
    close: { call: {} },
  },
};

/** Nodemailer 10.6: SMTP takes no key. A fixed `messageId` makes some receivers thread or drop a repeat, which is no promise. */
export default defineLibrary({
  name: 'nodemailer',
  packages: ['nodemailer'],
  exports: {
    createTransport: { call: { returns: 'Transporter' } },
    createTestAccount: { call: { effect: { kind: 'read' }, nodeCallback: true } },
    getTestMessageUrl: { call: { derives: true } },
  },
  types: { Transporter: transporter, Mail: transporter },
});
