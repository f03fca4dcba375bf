import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { messages } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { isInArchivedChannel } from '../../channels/state.ts'
import { firstNames } from '../../muted-users/state.ts'
import { MAX_ITEM_CHARACTERS } from '../../messages/widget.ts'
import { PeopleNames } from '../../users/parts/people-list.tsx'
import { ownId } from '../../users/state.ts'
import { addOption, toggleVote } from '../actions.ts'
import { readPoll, type Poll, type PollOption } from '../poll.ts'
import { openedVoters } from '../state.ts'
import './poll.css'

const MAX_NAMED_VOTERS = 3

export function PollView({ message }: { readonly message: Message }) {
  const poll = readPoll(message)
  if (poll === undefined) return null
  const isFixed = isInArchivedChannel(message)
  const voterCount = new Set(poll.options.flatMap(({ voters }) => voters)).size
  return (
    <div class="poll" role="group" aria-label={t().messages.widgets.poll(poll.question)}>
      <strong dir="auto">{poll.question === '' ? t().messages.widgets.poll('') : poll.question}</strong>
      <ul class="poll-options">
        {poll.options.map((option) => (
          <Option key={option.key} message={message} option={option} voterCount={voterCount} isFixed={isFixed} />
        ))}
      </ul>
      <p class="note poll-total">{tl().poll.total(voterCount)}</p>
      {!isFixed && <NewOption message={message} poll={poll} />}
    </div>
  )
}

interface OptionProps {
  readonly message: Message
  readonly option: PollOption
  readonly voterCount: number
  readonly isFixed: boolean
}

function Option({ message, option, voterCount, isFixed }: OptionProps) {
  const { key, text, voters } = option
  const isMine = voters.includes(ownId())
  // A person can vote for several options, so the shares can add up to more than 100%.
  const share = voterCount === 0 ? 0 : voters.length / voterCount
  const names = namesOf(voters)
  return (
    <li class="poll-option">
      <button
        class="poll-vote"
        aria-pressed={isMine}
        aria-label={tl().poll.vote(text, voters.length, share)}
        disabled={isFixed}
        onClick={() => void toggleVote(message, option)}
      >
        <span class="poll-check">{isMine && <Icon name="check" size={14} />}</span>
        <span class="poll-text">
          <bdi>{text}</bdi>
        </span>{' '}
        <span class="poll-figures">
          {tl().poll.votes(voters.length)} <strong>{tl().poll.share(share)}</strong>
        </span>
        <span class="poll-bar" style={{ '--share': `${share * 100}%` }} />
      </button>
      {voters.length > 0 && (
        <button
          class="poll-voters"
          aria-haspopup="dialog"
          aria-label={tl().poll.votersLabel(text, names)}
          onClick={() => {
            openedVoters.value = { message, optionKey: key }
          }}
        >
          <bdi>{names}</bdi>
        </button>
      )}
    </li>
  )
}

/** Names the current user and other voters by first name, or by full name if several voters share the first name. */
function namesOf(voters: readonly number[]): string {
  const ownFirst = voters.toSorted((one, other) => Number(other === ownId()) - Number(one === ownId()))
  const names = firstNames(ownFirst).map((name, index) => (ownFirst[index] === ownId() ? tl().poll.you : name))
  const shown = names.slice(0, MAX_NAMED_VOTERS)
  return t().place.people(shown, voters.length - shown.length)
}

function NewOption({ message, poll }: { readonly message: Message; readonly poll: Poll }) {
  const [text, setText] = useState('')
  const option = text.trim()
  const isKnown = poll.options.some((one) => one.text === option)
  return (
    <form
      class="poll-add"
      onSubmit={(event) => {
        event.preventDefault()
        if (option === '' || isKnown) return
        void addOption(message, poll, option)
        setText('')
      }}
    >
      <input
        class="input"
        aria-label={tl().poll.newOption}
        placeholder={tl().poll.newOption}
        maxLength={MAX_ITEM_CHARACTERS}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button class="button" type="submit" disabled={option === '' || isKnown}>
        {tl().poll.add}
      </button>
      {isKnown && (
        <p class="note" role="status">
          {tl().poll.isThere}
        </p>
      )}
    </form>
  )
}

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
