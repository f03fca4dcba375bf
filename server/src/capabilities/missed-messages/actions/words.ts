import type { Reason } from '../rules.ts'

export interface Words {
  readonly direct: (names: string) => string
  /** Number of people not named in a list. */
  readonly others: (count: number) => string
  readonly more: (count: number) => string
  readonly hidden: string
  readonly open: string
  readonly because: Readonly<Record<Reason, string>>
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

const ENGLISH: Words = {
  direct: (names) => `Direct messages with ${names}`,
  others: (count) => (count === 1 ? 'one other' : `${count} others`),
  more: (count) =>
    count === 1 ? 'One more message is in the conversation.' : `${count} more messages are in the conversation.`,
  hidden: 'What is hidden here is shown in the conversation.',
  open: 'Open the conversation',
  because: {
    direct: 'You get this e-mail because you have not read these direct messages.',
    mention: 'You get this e-mail because you are mentioned and have not read it.',
    wildcard: 'You get this e-mail because everybody here is mentioned and you have not read it.',
    followed_topic: 'You get this e-mail because you follow this topic and have not read these messages.',
    channel: 'You get this e-mail because you want e-mails of this channel and have not read these messages.',
  },
  noAnswers: 'Nobody reads answers to this e-mail. Answer in the conversation.',
  withoutContent: {
    subject: (organization) => `New messages at ${organization}`,
    paragraph: (count, organization) =>
      count === 1
        ? `There is a message at ${organization} that you have not read.`
        : `There are ${count} messages at ${organization} that you have not read.`,
    open: 'Read them',
    because:
      'This e-mail does not say who wrote them and what, because your settings or those of the organization say so.',
  },
  elsewhere: {
    subject: (organization) => `More new messages at ${organization}`,
    paragraph: (messages, conversations) =>
      conversations === 1
        ? `${messages === 1 ? 'One more message' : `${messages} more messages`} that you have not read ${messages === 1 ? 'is' : 'are'} in another conversation.`
        : `${messages} more messages that you have not read are in ${conversations} other conversations.`,
  },
}

const GERMAN: Words = {
  direct: (names) => `Direktnachrichten mit ${names}`,
  others: (count) => (count === 1 ? 'einer weiteren Person' : `${count} weiteren`),
  more: (count) =>
    count === 1
      ? 'Eine weitere Nachricht steht in der Unterhaltung.'
      : `${count} weitere Nachrichten stehen in der Unterhaltung.`,
  hidden: 'Was hier verborgen ist, zeigt die Unterhaltung.',
  open: 'Unterhaltung öffnen',
  because: {
    direct: 'Du bekommst diese E-Mail, weil du diese Direktnachrichten nicht gelesen hast.',
    mention: 'Du bekommst diese E-Mail, weil du erwähnt wirst und es nicht gelesen hast.',
    wildcard: 'Du bekommst diese E-Mail, weil hier alle erwähnt werden und du es nicht gelesen hast.',
    followed_topic: 'Du bekommst diese E-Mail, weil du diesem Thema folgst und diese Nachrichten nicht gelesen hast.',
    channel:
      'Du bekommst diese E-Mail, weil du E-Mails aus diesem Kanal willst und diese Nachrichten nicht gelesen hast.',
  },
  noAnswers: 'Antworten auf diese E-Mail liest niemand. Antworte in der Unterhaltung.',
  withoutContent: {
    subject: (organization) => `Neue Nachrichten bei ${organization}`,
    paragraph: (count, organization) =>
      count === 1
        ? `Bei ${organization} ist eine Nachricht, die du nicht gelesen hast.`
        : `Bei ${organization} sind ${count} Nachrichten, die du nicht gelesen hast.`,
    open: 'Lesen',
    because:
      'Von wem und was sie sind, steht hier nicht, weil deine Einstellungen oder die der Organisation es so wollen.',
  },
  elsewhere: {
    subject: (organization) => `Weitere neue Nachrichten bei ${organization}`,
    paragraph: (messages, conversations) => {
      const what = messages === 1 ? 'Eine weitere Nachricht' : `${messages} weitere Nachrichten`
      const where = conversations === 1 ? 'in einer anderen Unterhaltung' : `in ${conversations} anderen Unterhaltungen`
      return `${what}, die du nicht gelesen hast, ${messages === 1 ? 'steht' : 'stehen'} ${where}.`
    },
  },
}

export function wordsIn(language: string): Words {
  return language === 'en' ? ENGLISH : GERMAN
}
