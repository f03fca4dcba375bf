import { signal } from '@preact/signals'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { GrowingField } from '../../../platform/dom/growing-field.tsx'
import { withPart } from '../../../platform/dom/lazy.tsx'
import { combinationsOf } from '../../../platform/keys/keys.ts'
import { useOptionCountAnnouncement, Listbox, indexAfterKey, optionId } from '../../../platform/overlay/combobox.tsx'
import { allEmoji } from '../../reactions/state.ts'
import { formatting, type ComposedText } from '../composed-text.ts'
import { FORMAT_KEYS } from '../formats.ts'
import type * as Lines from '../lines.ts'
import { handlePaste } from '../pasting.ts'
import { isSendKey } from '../state.ts'
import type { Suggestion, suggestionsAt as SuggestionsAt } from '../suggestions.ts'
import type { NameMarks as NameMarksPart, SuggestionLine as SuggestionLinePart } from './suggestion.tsx'

interface FieldProps {
  readonly writing: ComposedText
  readonly label: string
  readonly placeholder?: string
  readonly isReadOnly?: boolean
  /** @returns whether the key was used. Keys that completion, formatting, and lists use are not passed on. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

function useFieldOf(writing: ComposedText, element: { readonly current: HTMLTextAreaElement | null }): void {
  useLayoutEffect(() => {
    writing.field = element.current ?? undefined
    return () => {
      writing.field = undefined
    }
  }, [writing])
}

export function Field({ writing, label, placeholder, isReadOnly = false, onKey: onOtherKey }: FieldProps) {
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
  useOptionCountAnnouncement(suggestions?.items.length)
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
    } else if (breaksLine(event, writing)) {
      if (!continueLineAt(writing)) return
    } else if (!formatByKey(event, writing) && !onOtherKey(event)) return
    event.preventDefault()
  }
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
        {parts !== undefined && <parts.NameMarks field={element} text={text} />}
        <textarea
          ref={element}
          class="composer-field"
          rows={1}
          dir="auto"
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={items.length > 0 ? list : undefined}
          aria-activedescendant={items[chosen] && optionId(list, chosen)}
          placeholder={placeholder}
          readOnly={isReadOnly}
          value={text}
          onInput={({ currentTarget: { value, selectionStart } }) => {
            writing.typed(value, selectionStart)
            setMoved(undefined)
          }}
          onKeyDown={onKey}
          onBlur={() => (writing.caret.value = undefined)}
          onFocus={loadTypingParts}
          onPaste={(event) => {
            handlePaste(event, writing, wantsPlain.current)
            wantsPlain.current = false
          }}
        />
      </GrowingField>
    </>
  )
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

function formatByKey(event: KeyboardEvent, writing: ComposedText): boolean {
  const format = FORMAT_KEYS[combinationsOf(event)[0] ?? '']
  if (format === undefined) return false
  writing.format(format)
  return true
}

/** Whether the key starts a new line. In an unfinished block, Enter does so even if it sends elsewhere. */
function breaksLine(event: KeyboardEvent, { text, selection: [from] }: ComposedText): boolean {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return false
  return !isSendKey(event) || (lines.peek()?.openFencesIn(text.peek().slice(0, from)).length ?? 0) > 0
}

function continueLineAt(writing: ComposedText): boolean {
  const text = writing.text.peek()
  const [from, to] = writing.selection
  const change = lines.peek()?.continueLine(text, from, to)
  if (change !== undefined) writing.replace(change.from, change.to, change.text)
  return change !== undefined
}

const suggestionParts = signal<{
  readonly suggestionsAt: typeof SuggestionsAt
  readonly SuggestionLine: typeof SuggestionLinePart
  readonly NameMarks: typeof NameMarksPart
}>()
const lines = signal<typeof Lines>()

/** If loading fails offline, completion and lists are off until the field is used again. */
function loadTypingParts(): void {
  allEmoji()
  if (lines.peek() !== undefined) return
  void withPart(
    Promise.all([
      import('../suggestions.ts'),
      import('./suggestion.tsx'),
      import('../formatting.ts'),
      import('../lines.ts'),
    ]),
    ([{ suggestionsAt }, { SuggestionLine, NameMarks }, formats, part]) => {
      suggestionParts.value = { suggestionsAt, SuggestionLine, NameMarks }
      formatting.value = formats
      lines.value = part
    },
    () => undefined,
  )
}
