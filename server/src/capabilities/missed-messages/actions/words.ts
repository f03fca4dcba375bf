import type { NotificationReason } from '../rules.ts'

export interface MissedMailWording {
  readonly direct: (names: string) => string
  readonly others: (count: number) => string
  readonly more: (count: number) => string
  readonly hidden: string
  readonly open: string
  readonly because: Readonly<Record<NotificationReason, string>>
  readonly noAnswers: string
  readonly withoutContent: {
    readonly subject: (organization: string) => string
    readonly paragraph: (count: number, organization: string) => string
    readonly open: string
    readonly because: string
  }
  readonly elsewhere: {
    readonly subject: (organization: string) => string
    readonly paragraph: (messages: number, conversations: number) => string
  }
}

const ENGLISH: MissedMailWording = {
  direct: (names) => `Direct messages with ${names}`,
  others: (count) => (count === 1 ? '1 other' : `${count} others`),
  more: (count) => `${count} more ${count === 1 ? 'message' : 'messages'} in the conversation`,
  hidden: 'Open the conversation to see hidden text.',
  open: 'Open conversation',
  because: {
    direct: 'You got this email because you haven’t read these direct messages.',
    mention: 'You got this email because you haven’t read a message that mentions you.',
    wildcard: 'You got this email because you haven’t read a message that mentions everyone here.',
    followed_topic: 'You got this email because you follow this topic and haven’t read these messages.',
    channel: 'You got this email because you turned on emails for this channel and haven’t read these messages.',
  },
  noAnswers: 'Replies to this email aren’t read. Reply in the conversation.',
  withoutContent: {
    subject: (organization) => `New messages at ${organization}`,
    paragraph: (count, organization) =>
      `You have ${count} unread ${count === 1 ? 'message' : 'messages'} at ${organization}.`,
    open: 'Read messages',
    because: 'This email leaves out names and text because of your settings or those of the organization.',
  },
  elsewhere: {
    subject: (organization) => `More new messages at ${organization}`,
    paragraph: (messages, conversations) =>
      `You have ${messages} more unread ${messages === 1 ? 'message' : 'messages'} in ${conversations === 1 ? 'another conversation' : `${conversations} other conversations`}.`,
  },
}

const GERMAN: MissedMailWording = {
  direct: (names) => `Direktnachrichten mit ${names}`,
  others: (count) => (count === 1 ? 'einer weiteren Person' : `${count} weiteren`),
  more: (count) => `${count} weitere ${count === 1 ? 'Nachricht' : 'Nachrichten'} in der Unterhaltung`,
  hidden: 'Öffne die Unterhaltung, um verborgenen Text zu sehen.',
  open: 'Unterhaltung öffnen',
  because: {
    direct: 'Du bekommst diese E-Mail, weil du diese Direktnachrichten noch nicht gelesen hast.',
    mention: 'Du bekommst diese E-Mail, weil du eine Nachricht, die dich erwähnt, noch nicht gelesen hast.',
    wildcard: 'Du bekommst diese E-Mail, weil du eine Nachricht, die hier alle erwähnt, noch nicht gelesen hast.',
    followed_topic:
      'Du bekommst diese E-Mail, weil du diesem Thema folgst und diese Nachrichten noch nicht gelesen hast.',
    channel:
      'Du bekommst diese E-Mail, weil du E-Mails zu diesem Kanal eingeschaltet und diese Nachrichten noch nicht gelesen hast.',
  },
  noAnswers: 'Antworten auf diese E-Mail werden nicht gelesen. Antworte in der Unterhaltung.',
  withoutContent: {
    subject: (organization) => `Neue Nachrichten bei ${organization}`,
    paragraph: (count, organization) =>
      `Du hast ${count} ungelesene ${count === 1 ? 'Nachricht' : 'Nachrichten'} bei ${organization}.`,
    open: 'Nachrichten lesen',
    because: 'Namen und Text fehlen in dieser E-Mail wegen deiner Einstellungen oder denen der Organisation.',
  },
  elsewhere: {
    subject: (organization) => `Weitere neue Nachrichten bei ${organization}`,
    paragraph: (messages, conversations) =>
      `Du hast ${messages} weitere ungelesene ${messages === 1 ? 'Nachricht' : 'Nachrichten'} in ${conversations === 1 ? 'einer anderen Unterhaltung' : `${conversations} anderen Unterhaltungen`}.`,
  },
}

export function missedMailWording(language: string): MissedMailWording {
  return language === 'en' ? ENGLISH : GERMAN
}
