import { useState } from 'preact/hooks'
import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { isArchived } from '../../channels/state.ts'
import { shownName } from '../../muted-users/state.ts'
import { ownId } from '../../users/state.ts'
import { addOption, toggleVote, type Poll } from '../state.ts'
import './poll.css'

/** The server's limit for the text of an option. */
const MAX_OPTION_CHARACTERS = 200

export function PollView({ message, poll }: { readonly message: Message; readonly poll: Poll }) {
  const [option, setOption] = useState('')
  const isNew = option.trim() !== '' && poll.options.every(({ text }) => text !== option.trim())
  const isFixed = isArchived(message)
  return (
    <div class="poll" role="group" aria-label={t().poll.label(poll.question)}>
      <strong dir="auto">{poll.question === '' ? t().poll.noQuestion : poll.question}</strong>
      <ul>
        {poll.options.map((one) => {
          const names = one.voters.map(shownName)
          return (
            <li key={one.key} class="poll-option">
              <button
                class="poll-vote"
                aria-pressed={one.voters.includes(ownId())}
                aria-label={t().poll.vote(one.text, one.voters.length)}
                disabled={isFixed}
                onClick={() => void toggleVote(message, one)}
              >
                {one.voters.length}
              </button>
              <bdi>{one.text}</bdi>
              {names.length > 0 && <span class="note">{t().place.directWith(names)}</span>}
            </li>
          )
        })}
      </ul>
      {!isFixed && (
        <form
          class="poll-add"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isNew) return
            void addOption(message, poll, option.trim())
            setOption('')
          }}
        >
          <input
            class="input"
            aria-label={t().poll.newOption}
            placeholder={t().poll.newOption}
            maxLength={MAX_OPTION_CHARACTERS}
            value={option}
            onInput={(event) => setOption(event.currentTarget.value)}
          />
          <button class="button" type="submit" disabled={!isNew}>
            {t().poll.add}
          </button>
        </form>
      )}
    </div>
  )
}
