import { tl } from '../../kernel/later-texts.ts'
import type { Message } from '../../kernel/message.ts'
import { addToWidget, changeWidget } from '../messages/widget-changes.ts'
import { ownId } from '../users/state.ts'
import type { Poll, PollOption } from './poll.ts'

export async function toggleVote(message: Message, { key, text, voters }: PollOption): Promise<void> {
  const vote = (by: 1 | -1) => ({ type: 'vote', key, vote: by })
  if (voters.includes(ownId())) await changeWidget(message, vote(-1), vote(1), tl().poll.wasUnvoted(text))
  else await changeWidget(message, vote(1), vote(-1), tl().poll.wasVoted(text))
}

export async function addOption(message: Message, { options }: Poll, option: string): Promise<void> {
  const own = options.filter(({ key }) => key.startsWith(`${ownId()},`)).map(({ key }) => Number(key.split(',')[1]))
  await addToWidget(message, { type: 'new_option', idx: Math.max(0, ...own) + 1, option })
}
