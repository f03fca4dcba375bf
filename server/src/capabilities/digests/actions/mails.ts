import type { OrganizationState } from '../../../kernel/projection.ts'
import { topicSegment } from '../../../kernel/topic-segment.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { html } from '../../../platform/pages/html.ts'
import { channelById } from '../../channels/queries/index.ts'
import { presentTopic } from '../../channels/rules/topics.ts'
import type { OutgoingMail } from '../../mail/actions/index.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { writtenLanguage } from '../../users/queries/languages.ts'
import type { BusyTopic } from '../queries.ts'

interface Words {
  readonly subject: (organization: string) => string
  readonly paragraph: (organization: string) => string
  readonly count: (messages: number, people: number) => string
  readonly open: (organization: string) => string
  readonly because: string
}

const ENGLISH: Words = {
  subject: (organization) => `The week at ${organization}`,
  paragraph: (organization) => `This is what people at ${organization} wrote most about since the last week:`,
  count: (messages, people) =>
    `${messages === 1 ? 'one message' : `${messages} messages`} by ${people === 1 ? 'one person' : `${people} people`}`,
  open: (organization) => `Open ${organization}`,
  because: 'You get this e-mail once a week when you were away for several days.',
}

const GERMAN: Words = {
  subject: (organization) => `Die Woche bei ${organization}`,
  paragraph: (organization) =>
    `Darüber haben die Leute bei ${organization} seit der letzten Woche am meisten geschrieben:`,
  count: (messages, people) =>
    `${messages === 1 ? 'eine Nachricht' : `${messages} Nachrichten`} von ${people === 1 ? 'einem Menschen' : `${people} Menschen`}`,
  open: (organization) => `${organization} öffnen`,
  because: 'Du bekommst diese E-Mail einmal in der Woche, wenn du mehrere Tage nicht da warst.',
}

export function digestMail(
  organization: OrganizationState,
  server: Pick<ServerFacts, 'urlOf'>,
  user: UserRow,
  topics: readonly BusyTopic[],
): OutgoingMail {
  const language = writtenLanguage(organization, user)
  const words = language === 'en' ? ENGLISH : GERMAN
  const { name } = organizationOf(organization)
  const url = server.urlOf(organization)
  const lines = topics.map(({ channelId, topic, firstId, messages, people }) => ({
    title: `#${channelById(organization, channelId)?.name ?? ''} > ${presentTopic(topic, false)}`,
    address: `${url}/c/${channelId}/t/${topicSegment(topic)}?near=${firstId}`,
    count: words.count(messages, people),
  }))
  return {
    to: user.deliveryEmail,
    language,
    subject: words.subject(name),
    paragraphs: [words.paragraph(name)],
    content: {
      text: lines.map(({ title, address, count }) => `${title}\n${count}\n${address}`).join('\n\n'),
      html: lines
        .map(
          ({ title, address, count }) =>
            html`<p style="margin:0 0 16px">
              <a href="${address}" style="font-weight:600">${title}</a><br /><span style="font-size:13px;opacity:.75"
                >${count}</span
              >
            </p>`.markup,
        )
        .join('\n'),
    },
    button: { label: words.open(name), path: '/' },
    closing: [words.because],
    unsubscribe: { userId: user.id, from: 'digest' },
  }
}
