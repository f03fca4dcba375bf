import { signal } from '@preact/signals'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Message } from '../../../kernel/message.ts'
import type { Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { messages } from '../../../platform/client.ts'
import { GrowingField } from '../../../platform/dom/growing-field.tsx'
import { withPart } from '../../../platform/dom/lazy.tsx'
import { combinationsOf } from '../../../platform/keys/keys.ts'
import { useOptionCount } from '../../../platform/overlay/combobox.tsx'
import { Listbox, indexAfterKey, optionId } from '../../../platform/overlay/listbox.tsx'
import { startEdit } from '../../message-edits/state.ts'
import { channelTitle, placeName } from '../../places/title.tsx'
import { allEmoji } from '../../reactions/state.ts'
import { ownId } from '../../users/state.ts'
import { sendComposition } from '../actions.ts'
import { closeReply } from '../answering.ts'
import { FORMAT_KEYS, FORMATS } from '../formatting.ts'
import { handlePaste } from '../pasting.ts'
import { isFocusWanted, isSendKey, takeFocusRequest } from '../state.ts'
import type { Suggestion, suggestionsAt as SuggestionsAt } from '../suggestions.ts'
import type { Composition } from '../composition.ts'
import type { SuggestionLine as SuggestionLinePart } from './suggestion.tsx'

function useFieldOf(writing: Composition, element: { readonly current: HTMLTextAreaElement | null }): void {
  useLayoutEffect(() => {
    writing.field = element.current ?? undefined
    return () => {
      writing.field = undefined
    }
  }, [writing])
  // Reads the signal while rendering: in a signal effect, the previous view's field would take the focus first.
  useLayoutEffect(() => {
    if (takeFocusRequest()) writing.field?.focus()
  }, [writing, isFocusWanted.value])
}

export function Field({ writing }: { readonly writing: Composition }) {
  const element = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const wantsPlain = useRef(false)
  const [moved, setMoved] = useState<number>()
  const text = writing.text.value
  const caret = writing.caret.value
  const { value: parts } = suggestionParts
  const suggestions = caret === undefined ? undefined : parts?.suggestionsAt(text, caret, writing.conversation)
  const items = suggestions?.items ?? []
  const chosen = moved ?? suggestions?.chosen ?? -1
  useOptionCount(suggestions?.items.length)
  useFieldOf(writing, element)

  const complete = (item: Suggestion): void => {
    if (suggestions !== undefined && item.isDenied !== true)
      writing.replace(suggestions.from, caret ?? text.length, item.text)
  }
  const onKey = (event: KeyboardEvent): void => {
    // Recorded here, because the paste event does not report Shift.
    wantsPlain.current = combinationsOf(event).includes('Ctrl+Shift+v')
    // Ignores Alt with an arrow key, which runs a command.
    if (event.altKey) return
    const next = indexAfterKey(event.key, chosen, items.length)
    const item = acceptedSuggestion(event, items, chosen)
    if (next !== undefined) setMoved(next)
    else if (item !== undefined) complete(item)
    else if (items.length > 0 && event.key === 'Escape') {
      writing.caret.value = undefined
      event.stopPropagation()
    } else if (!onWritingKey(event, writing)) return
    event.preventDefault()
  }
  const name = nameOf(writing)
  return (
    <>
      {parts !== undefined && items.length > 0 && (
        <Listbox
          id={list}
          label={t().composer.suggestions}
          items={items}
          chosen={chosen}
          keyOf={({ key }) => key}
          isDisabled={({ isDenied }) => isDenied === true}
          onChoose={complete}
        >
          {parts.SuggestionLine}
        </Listbox>
      )}
      <GrowingField text={text}>
        <textarea
          ref={element}
          class="composer-field"
          rows={1}
          dir="auto"
          aria-label={t().composer.label(name)}
          aria-autocomplete="list"
          aria-controls={items.length > 0 ? list : undefined}
          aria-activedescendant={items[chosen] && optionId(list, chosen)}
          placeholder={t().composer.placeholder(name)}
          value={text}
          onInput={({ currentTarget: { value, selectionStart } }) => {
            writing.typed(value, selectionStart)
            setMoved(undefined)
          }}
          onKeyDown={onKey}
          onBlur={() => {
            writing.caret.value = undefined
          }}
          onFocus={loadSuggestions}
          onPaste={(event) => {
            handlePaste(event, writing, wantsPlain.current)
            wantsPlain.current = false
          }}
        />
      </GrowingField>
    </>
  )
}

function nameOf({ conversation, destination: { value } }: Composition): string {
  if (conversation !== undefined) return placeName(conversation)
  const channelId = value.view === 'topic' ? value.channelId : undefined
  return channelId === undefined ? t().composer.someone : channelTitle(channelId)
}

function acceptedSuggestion(
  event: KeyboardEvent,
  items: readonly Suggestion[],
  chosen: number,
): Suggestion | undefined {
  if (event.shiftKey || event.ctrlKey || event.metaKey) return undefined
  if (event.key === 'Tab') return items[chosen] ?? items[0]
  return event.key === 'Enter' ? items[chosen] : undefined
}

function onWritingKey(event: KeyboardEvent, writing: Composition): boolean {
  const [combination = ''] = combinationsOf(event)
  const format = FORMAT_KEYS[combination]
  if (format !== undefined) {
    writing.format(FORMATS[format])
    return true
  }
  if (isSendKey(event)) {
    sendComposition(writing)
    return true
  }
  if (event.key === 'ArrowUp' && writing.text.value === '') {
    const last = writing.conversation === undefined ? undefined : lastOwnMessage(writing.conversation)
    if (last !== undefined) void startEdit(last)
    return last !== undefined
  }
  if (event.key !== 'Escape' || event.shiftKey) return false
  writing.field?.blur()
  if (writing.home === undefined) closeReply()
  return true
}

const suggestionParts = signal<{
  readonly suggestionsAt: typeof SuggestionsAt
  readonly SuggestionLine: typeof SuggestionLinePart
}>()

function loadSuggestions(): void {
  allEmoji()
  if (suggestionParts.peek() !== undefined) return
  void withPart(
    Promise.all([import('../suggestions.ts'), import('./suggestion.tsx')]),
    ([{ suggestionsAt }, { SuggestionLine }]) => {
      suggestionParts.value = { suggestionsAt, SuggestionLine }
    },
    // If loading fails offline, no suggestions appear until the field is used again.
    () => undefined,
  )
}

function lastOwnMessage(place: Place): Message | undefined {
  return messages
    .shownIn(place)
    .toReversed()
    .find((message) => message.sender_id === ownId())
}
