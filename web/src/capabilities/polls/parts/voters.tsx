import type { Message } from '../../../kernel/message.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { messages } from '../../../platform/client.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { PeopleNames } from '../../users/parts/people-list.tsx'
import { readPoll } from '../poll.ts'
import { openedVoters } from '../state.ts'

interface VotersProps {
  readonly message: Message
  readonly optionKey: string
}

export function Voters({ message, optionKey }: VotersProps) {
  const poll = readPoll(messages.get(message.id)?.value ?? message)
  const option = poll?.options.find(({ key }) => key === optionKey)
  return (
    <Dialog
      title={tl().poll.votersOf(option?.text ?? '')}
      onClose={() => {
        openedVoters.value = undefined
      }}
    >
      <p class="note">{tl().poll.votes(option?.voters.length ?? 0)}</p>
      <PeopleNames userIds={option?.voters ?? []} />
    </Dialog>
  )
}
