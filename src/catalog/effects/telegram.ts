import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

/** Takes no key. */
const send: Shape = { call: { effect: { kind: 'external', data: '1' } } };
/** Editing to what is there already is refused, which changes nothing. */
const absolute: Shape = { call: { effect: { kind: 'external', idempotent: true } } };
const api: Shape = {
  members: {
    ...alike(
      'sendMessage sendPhoto sendDocument sendVideo sendAudio sendVoice sendLocation sendMediaGroup sendPoll sendSticker sendInvoice forwardMessage copyMessage',
      send,
    ),
    ...alike('editMessageText editMessageReplyMarkup editMessageCaption deleteMessage pinChatMessage answerCallbackQuery setWebhook sendChatAction', absolute),
    ...alike<Shape>('getMe getChat getFile getChatMember getUpdates', { call: { effect: { kind: 'read' } } }),
  },
};

/** telegraf 4.16, grammy 1.46, node-telegram-bot-api 2.1. */
export default defineLibrary({
  name: 'telegraf',
  packages: ['telegraf', 'grammy', 'node-telegram-bot-api'],
  exports: {
    Telegraf: { construct: { returns: 'Telegraf' } },
    Telegram: { construct: { returns: 'Api' } },
    Bot: { construct: { returns: 'Telegraf' } },
    Api: { construct: { returns: 'Api' } },
    default: { construct: { returns: 'Api' } },
  },
  types: { Telegraf: { members: { telegram: 'Api', api: 'Api' } }, Bot: { members: { api: 'Api' } }, Telegram: api, Api: api, TelegramBot: api },
});
