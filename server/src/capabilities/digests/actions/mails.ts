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
  subject: (organization) => `Your week at ${organization}`,
  paragraph: (organization) => `The most active topics at ${organization} in the last week:`,
  count: (messages, people) =>
    `${messages === 1 ? '1 message' : `${messages} messages`} from ${people === 1 ? '1 person' : `${people} people`}`,
  open: (organization) => `Open ${organization}`,
  because: 'You get this email once a week when you’ve been away for several days.',
}

const GERMAN: Words = {
  subject: (organization) => `Deine Woche bei ${organization}`,
  paragraph: (organization) => `Die aktivsten Themen bei ${organization} in der letzten Woche:`,
  count: (messages, people) =>
    `${messages === 1 ? '1 Nachricht' : `${messages} Nachrichten`} von ${people === 1 ? '1 Person' : `${people} Personen`}`,
  open: (organization) => `${organization} öffnen`,
  because: 'Du bekommst diese E-Mail einmal pro Woche, wenn du mehrere Tage abwesend warst.',
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
