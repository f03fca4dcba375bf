import { signal } from '@preact/signals'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { placeKey } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { chooseTime } from '../../../platform/overlay/times.ts'
import { draftText, keepDraft } from '../../drafts/state.ts'
import { edit } from '../../message-edits/state.ts'
import { send, type Conversation } from '../../messages/outbox.ts'
import { placeName, placeTitle } from '../../places/title.tsx'
import { pickEmoji } from '../../reactions/parts/picker.tsx'
import { sendLater } from '../../scheduled-messages/actions.ts'
import { sayTyping, stopTyping } from '../../typing/state.ts'
import { upload } from '../../uploads/actions.ts'
import { lastOwnMessage } from '../last-own.ts'
import { enterSends } from '../preferences.ts'
import { suggestionsAt } from '../suggestions.ts'
import { Preview } from './preview.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import './composer.css'

/** What another part of the client wants to have written: a quotation, a mention. */
const inserted = signal<{ readonly place: Conversation; readonly text: string } | undefined>(undefined)

/** Puts a text into the composer of a conversation and the caret behind it. */
export function writeInto(place: Conversation, text: string): void {
  inserted.value = { place, text }
}

/** Puts the caret into the composer on screen. */
export function focusComposer(): void {
  document.querySelector<HTMLTextAreaElement>('[data-composer]')?.focus()
}

/** The field in which messages are written, with where they go. */
export function Composer({ place }: { readonly place: Conversation }) {
  return <OpenComposer key={placeKey(place)} place={place} />
}

function OpenComposer({ place }: { readonly place: Conversation }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => draftText(place))
  const [hasPreview, setPreview] = useState(false)
  // Where the caret was when something was typed; undefined where nothing is to be completed.
  const [caretAt, setCaretAt] = useState<number>()
  const suggestions = caretAt === undefined ? undefined : suggestionsAt(text, caretAt)
  const [chosen, setChosen] = useState(0)
  const list = useId()
  const tooLong = text.length - store().read('max_message_length')
  const canSend = text.trim() !== '' && tooLong <= 0

  const change = (next: string, caret?: number): void => {
    setText(next)
    keepDraft(place, next)
    const { current: element } = field
    if (element === null || caret === undefined) return
    element.value = next
    element.focus()
    element.setSelectionRange(caret, caret)
  }
  const insert = (addition: string): void => {
    const { selectionStart: from = text.length, selectionEnd: to = text.length, value = text } = field.current ?? {}
    const gap = from > 0 && !/\s$/.test(value.slice(0, from)) ? ' ' : ''
    change(value.slice(0, from) + gap + addition + value.slice(to), from + gap.length + addition.length)
  }
  const submit = (): void => {
    if (!canSend) return
    send(place, text)
    stopTyping()
    setCaretAt(undefined)
    setPreview(false)
    change('', 0)
  }
  const later = async (seconds: number): Promise<void> => {
    if (await sendLater(place, text, seconds, () => writeInto(place, text))) change('', 0)
  }
  const complete = (index: number): void => {
    const item = suggestions?.items[index]
    const { current: element } = field
    if (item === undefined || suggestions === undefined || element === null) return
    const { value, selectionStart } = element
    change(
      value.slice(0, suggestions.from) + item.text + value.slice(selectionStart),
      suggestions.from + item.text.length,
    )
    setCaretAt(undefined)
  }
  const attach = async (chosenFiles: readonly File[]): Promise<void> => {
    for (const file of chosenFiles) {
      const placeholder = `[${t().composer.uploading(file.name)}]()`
      insert(`${placeholder}\n`)
      const link = await upload(file)
      const { value = '' } = field.current ?? {}
      change(value.replace(placeholder + (link === undefined ? '\n' : ''), link ?? ''), undefined)
    }
  }
  useEffect(() => {
    const { value } = inserted
    if (value === undefined || placeKey(value.place) !== placeKey(place)) return
    inserted.value = undefined
    insert(value.text)
  }, [inserted.value])

  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    if (suggestions !== undefined && onSuggestionKey(event)) return
    if (
      event.key === 'Enter' &&
      !event.shiftKey &&
      !event.altKey &&
      (enterSends.read() || event.ctrlKey || event.metaKey)
    ) {
      event.preventDefault()
      submit()
    } else if (event.key === 'ArrowUp' && text === '') {
      const last = lastOwnMessage(place)
      if (last === undefined) return
      event.preventDefault()
      void edit(last)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      field.current?.blur()
    }
  }
  const onSuggestionKey = (event: KeyboardEvent): boolean => {
    const count = suggestions?.items.length ?? 0
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % count)
    else if (event.key === 'ArrowUp') setChosen((chosen + count - 1) % count)
    else if (event.key === 'Enter' || event.key === 'Tab') complete(chosen)
    else if (event.key === 'Escape') setCaretAt(undefined)
    else return false
    event.preventDefault()
    return true
  }
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void attach([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <div class="composer-box">
        {suggestions !== undefined && (
          <SuggestionList id={list} items={suggestions.items} chosen={chosen} onChoose={complete} />
        )}
        <div class="composer-to">
          <span class="visually-hidden">{t().composer.destination} </span>
          {placeTitle(place)}
        </div>
        {hasPreview ? (
          <Preview text={text} />
        ) : (
          <textarea
            ref={field}
            data-composer=""
            class="composer-field"
            rows={1}
            dir="auto"
            aria-label={t().composer.label(placeName(place))}
            aria-autocomplete="list"
            aria-controls={suggestions === undefined ? undefined : list}
            aria-activedescendant={suggestions === undefined ? undefined : `${list}-${chosen}`}
            placeholder={t().composer.placeholder(placeName(place))}
            value={text}
            onInput={(event) => {
              const { value, selectionStart } = event.currentTarget
              change(value)
              setChosen(0)
              setCaretAt(selectionStart)
              if (value.trim() !== '') sayTyping(place)
            }}
            onKeyDown={onKey}
            onBlur={() => setCaretAt(undefined)}
            onPaste={(event) => {
              const pasted = [...(event.clipboardData?.files ?? [])]
              if (pasted.length === 0) return
              event.preventDefault()
              void attach(pasted)
            }}
          />
        )}
        <div class="composer-tools">
          <button
            class="icon-button"
            type="button"
            aria-label={t().composer.attach}
            title={t().composer.attach}
            onClick={() => files.current?.click()}
          >
            <Icon name="attach" />
          </button>
          <input
            ref={files}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              void attach([...(event.currentTarget.files ?? [])])
              event.currentTarget.value = ''
            }}
          />
          <button
            class="icon-button"
            type="button"
            aria-label={t().search.emoji}
            title={t().search.emoji}
            onClick={(event) =>
              pickEmoji(event.currentTarget, ({ name }) => {
                insert(`:${name}: `)
              })
            }
          >
            <Icon name="smile" />
          </button>
          <button
            class="composer-preview"
            type="button"
            aria-pressed={hasPreview}
            onClick={() => setPreview(!hasPreview)}
          >
            {t().composer.preview}
          </button>
          {tooLong > 0 && (
            <span class="composer-warning" role="alert">
              {t().composer.tooLong(tooLong)}
            </span>
          )}
          <button
            class="icon-button"
            type="button"
            disabled={!canSend}
            aria-label={t().later.send}
            aria-haspopup="menu"
            title={t().later.send}
            onClick={(event) => chooseTime(event.currentTarget, t().later.send, (seconds) => void later(seconds))}
          >
            <Icon name="recent" />
          </button>
          <button
            class="composer-keys"
            type="button"
            title={t().composer.changeKeys}
            onClick={() => void enterSends.write(!enterSends.read())}
          >
            {enterSends.read() ? t().composer.enterSends : t().composer.ctrlEnterSends}
          </button>
          <button
            class="composer-send"
            type="submit"
            disabled={!canSend}
            aria-label={t().composer.send}
            title={t().composer.send}
          >
            <Icon name="send" />
          </button>
        </div>
      </div>
    </form>
  )
}
