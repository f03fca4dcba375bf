import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { writeCondition, writeQuery, type Condition, type Operator } from '../../../kernel/query.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { takeTypedText } from '../../../platform/dom/early-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useOptionCountAnnouncement, optionId } from '../../../platform/overlay/combobox.tsx'
import { focusRequests, takeFocusRequest } from '../actions.ts'
import {
  acceptsFirstOnEnter,
  completionsFor,
  endsAtSpace,
  toAbsoluteDate,
  pendingTermIn,
  queryWhileTyping,
  type Completion,
} from '../completions.ts'
import { completeCondition } from '../near-misses.ts'
import { isKnownCondition, readQuery } from '../search-query.ts'
import { Chip, Completions, QuickFilters } from './completions.tsx'
import { DayDialog } from './day-dialog.tsx'
import './search-box.css'

interface SearchBoxProps {
  readonly query: string
  /** `isDone` is true when the user submits the query. */
  readonly onChange: (query: string, isDone: boolean) => void
  /** Shown beside the filters. */
  readonly children?: ComponentChildren
}

interface SearchBoxContents {
  readonly conditions: readonly Condition[]
  readonly text: string
}

function parseContents(query: string): SearchBoxContents {
  const { conditions, words } = readQuery(query)
  return { conditions, text: words }
}

function isKnown(condition: Condition): boolean {
  return isKnownCondition(condition, store())
}

function formatQuery({ conditions, text }: SearchBoxContents): string {
  const typed = queryWhileTyping(text)
  return writeQuery({ conditions: [...conditions, ...typed.conditions], words: typed.words })
}

function useSearchBoxContents({ query, onChange }: SearchBoxProps) {
  const [contents, setContents] = useState(() => parseContents(query))
  const [chosen, setChosen] = useState(-1)
  // The browser selects only the text, not the chips beside it.
  const [isAllSelected, setAllSelected] = useState(false)
  // Queries reported since `query` last changed. Each returns as `query`, possibly after the user has typed more.
  const reported = useRef<readonly string[]>([query])
  useEffect(() => {
    const at = reported.current.lastIndexOf(query)
    if (at === -1) setContents(parseContents(query))
    reported.current = at === -1 ? [query] : reported.current.slice(at)
  }, [query])
  const change = (next: SearchBoxContents, isDone = false): void => {
    const pending = pendingTermIn(next.text)
    setContents(next)
    setAllSelected(false)
    setChosen(pending !== undefined && acceptsFirstOnEnter(pending) ? 0 : -1)
    const asked = formatQuery(next)
    if (asked === reported.current.at(-1) && !isDone) return
    reported.current = [...reported.current, asked]
    onChange(asked, isDone)
  }
  return { ...contents, chosen, setChosen, isAllSelected, setAllSelected, change }
}

function useSearchBox(props: SearchBoxProps) {
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const { change: changeContents, ...contents } = useSearchBoxContents(props)
  const { conditions, text, chosen, setChosen } = contents
  const [isOpen, setOpen] = useState(false)
  // While a chip is edited, all values of its operator are suggested until the user types.
  const [edited, setEdited] = useState<string>()
  const [asksDay, setAsksDay] = useState(false)
  const change = (...next: Parameters<typeof changeContents>): void => {
    setEdited(undefined)
    changeContents(...next)
  }
  const completed = edited ?? text
  const completions = isOpen ? completionsFor(completed, conditions) : []
  const areOfWords = completed.trim() !== '' && pendingTermIn(completed) === undefined
  // Most words have no suggestions, so their absence is not announced.
  useOptionCountAnnouncement(completions.length > 0 ? completions.length : undefined)
  // Uses a layout effect, so that the next key press reaches the field.
  useLayoutEffect(() => {
    if (takeFocusRequest() || props.query === '') field.current?.focus()
  }, [focusRequests.value])
  useLayoutEffect(() => {
    const typed = takeTypedText()
    if (typed !== '') change({ conditions, text: text + typed })
  }, [])

  const finish = (): void => {
    const read = readQuery(text)
    setOpen(false)
    const added = read.conditions.map(toAbsoluteDate).map(completeCondition)
    change({ conditions: [...conditions, ...added], text: read.words }, true)
  }
  const addCondition = (condition: Condition): void => {
    const before = pendingTermIn(text)?.before ?? text.replace(/\S+$/, '')
    change({ conditions: [...conditions, condition], text: before.trimEnd() })
    setOpen(false)
  }
  const complete = ({ condition, text: replacement = text, asksDay: isQuestion = false }: Completion): void => {
    field.current?.focus()
    if (isQuestion) setAsksDay(true)
    else if (condition !== undefined) addCondition(condition)
    else {
      change({ conditions, text: replacement })
      setOpen(true)
    }
  }
  const chooseDay = (day: string): void => {
    const { operator = 'on', isNegated = false } = pendingTermIn(text) ?? {}
    setAsksDay(false)
    addCondition({ operator, operand: day, isNegated })
  }
  const startCondition = (operator: Operator): void => {
    field.current?.focus()
    const pending = pendingTermIn(text)
    const before = pending?.typed === '' ? pending.before : text
    change({ conditions, text: joinTexts(before, `${operator}:`) })
    setOpen(true)
  }
  const moveChosen = (step: number): void => {
    setOpen(true)
    const { length } = completionsFor(completed, conditions)
    setChosen(((chosen < 0 && step < 0 ? 0 : chosen) + step + length) % Math.max(1, length))
  }
  const editText = (next: SearchBoxContents, start: string): void => {
    change(next)
    setChosen(-1)
    setEdited(start)
    setOpen(true)
  }
  const chips = useChips({ conditions, text }, { field, box, change, editText })
  const steps = { change, setOpen, finish, complete, moveChosen, startCondition, setAsksDay, chooseDay, ...chips }
  return { ...contents, field, box, completions, areOfWords, asksDay, ...steps }
}

interface ChipActions {
  readonly field: RefObject<HTMLInputElement | null>
  readonly box: RefObject<HTMLDivElement | null>
  readonly change: (next: SearchBoxContents) => void
  /** @param start text up to the value that is edited */
  readonly editText: (next: SearchBoxContents, start: string) => void
}

function useChips({ conditions, text }: SearchBoxContents, { field, box, change, editText }: ChipActions) {
  const valueStart = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    const { current: start } = valueStart
    valueStart.current = undefined
    if (start !== undefined) field.current?.setSelectionRange(start, text.length)
  }, [text])
  const editChip = (index: number): void => {
    const condition = conditions[index]
    if (condition === undefined) return
    const start = joinTexts(text, `${condition.isNegated ? '-' : ''}${condition.operator}:`)
    valueStart.current = start.length
    field.current?.focus()
    const others = conditions.filter((_, at) => at !== index)
    editText({ conditions: others, text: joinTexts(text, writeCondition(condition)) }, start)
  }
  const focusChip = (index: number): void => {
    const chips = box.current?.querySelectorAll<HTMLElement>('.chip-main')
    const chip = index < 0 ? undefined : chips?.[index]
    ;(chip ?? field.current)?.focus()
  }
  const removeChip = (index: number): void => {
    change({ conditions: conditions.filter((_, at) => at !== index), text })
    focusChip(Math.min(index, conditions.length - 2))
  }
  return { editChip, focusChip, removeChip }
}

function joinTexts(before: string, after: string): string {
  return [before.trim(), after].filter(Boolean).join(' ')
}

type SearchBoxState = ReturnType<typeof useSearchBox>

function onKey(event: KeyboardEvent, box: SearchBoxState): void {
  // Ignores Alt with an arrow key, which runs a command.
  if (event.altKey || !(event.currentTarget instanceof HTMLInputElement)) return
  const { completions, chosen, conditions } = box
  const isAtStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0
  const { length } = completions
  const completion = completions[chosen]
  if (handleSelectAllKey(event, box)) return
  if (event.key === 'ArrowDown') box.moveChosen(1)
  else if (event.key === 'ArrowUp' && length > 0) box.moveChosen(-1)
  else if (event.key === 'Enter' || (event.key === 'Tab' && completion !== undefined && !event.shiftKey)) {
    if (completion === undefined) box.finish()
    else box.complete(completion)
  } else if (event.key === 'Escape') {
    // With no list to close, Escape leaves the field, so that keys act on the results.
    if (length > 0) box.setOpen(false)
    else event.currentTarget.blur()
  } else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && isAtStart && conditions.length > 0) {
    box.focusChip(conditions.length - 1)
  } else return
  event.preventDefault()
  event.stopPropagation()
}

/** @returns whether the key selects or deletes everything, chips included */
function handleSelectAllKey(
  event: KeyboardEvent,
  { conditions, isAllSelected, setAllSelected, change }: SearchBoxState,
): boolean {
  const { key } = event
  const isSelecting = (event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a'
  if (isSelecting) setAllSelected(conditions.length > 0)
  else if (isAllSelected && (key === 'Backspace' || key === 'Delete')) {
    event.preventDefault()
    change({ conditions: [], text: '' })
    return true
  } else if (/^(?:Arrow|Home|End)/.test(key)) setAllSelected(false)
  return isSelecting
}

export function SearchBox(props: SearchBoxProps) {
  const list = useId()
  const state = useSearchBox(props)
  const { field, conditions, text, chosen, completions, change, setOpen, isAllSelected, setAllSelected } = state
  return (
    <div ref={state.box} class="search-box" role="search">
      <div
        class={isAllSelected ? 'search-field is-selected' : 'search-field'}
        onClick={(event) => event.target === event.currentTarget && field.current?.focus()}
      >
        <Icon name="search" />
        <Chips box={state} />
        <input
          ref={field}
          class="search-input"
          role="combobox"
          aria-label={t().search.label}
          aria-autocomplete="list"
          aria-expanded={completions.length > 0}
          aria-controls={completions.length > 0 ? list : undefined}
          aria-activedescendant={completions[chosen] === undefined ? undefined : optionId(list, chosen)}
          placeholder={conditions.length === 0 ? t().search.label : ''}
          autocomplete="off"
          autocapitalize="none"
          enterkeyhint="search"
          value={text}
          onInput={(event) => {
            setOpen(true)
            change(extractConditions(isAllSelected ? [] : conditions, event.currentTarget.value))
          }}
          onFocus={() => setOpen(text !== '' || conditions.length === 0)}
          onPointerDown={() => setAllSelected(false)}
          onBlur={() => {
            setOpen(false)
            setAllSelected(false)
          }}
          onKeyDown={(event) => onKey(event, state)}
        />
        {(conditions.length > 0 || text !== '') && (
          <button
            class="icon-button"
            aria-label={tl().search.clear}
            title={tl().search.clear}
            onClick={() => {
              change({ conditions: [], text: '' }, true)
              field.current?.focus()
            }}
          >
            <Icon name="close" size={16} />
          </button>
        )}
      </div>
      <div class="search-options">
        <div class="quick-filters">
          {completions.length > 0 && (
            <Completions
              id={list}
              items={completions}
              chosen={chosen}
              isRow={state.areOfWords}
              onChoose={state.complete}
            />
          )}
          <QuickFilters onChoose={state.startCondition} />
        </div>
        {props.children}
      </div>
      {state.asksDay && <DayDialog onChoose={state.chooseDay} onClose={() => state.setAsksDay(false)} />}
    </div>
  )
}

function Chips({
  box: { conditions, text, change, editChip, removeChip, focusChip },
}: {
  readonly box: SearchBoxState
}) {
  return conditions.map((condition, index) => (
    <Chip
      key={`${index}-${writeCondition(condition)}`}
      condition={condition}
      isUnknown={!isKnown(condition)}
      canNegate={isKnown({ ...condition, isNegated: !condition.isNegated })}
      onEdit={() => editChip(index)}
      onRemove={() => removeChip(index)}
      onMove={(step) => focusChip(index + step >= conditions.length ? -1 : Math.max(0, index + step))}
      onNegate={() =>
        change({
          conditions: conditions.map((one, at) => (at === index ? { ...one, isNegated: !one.isNegated } : one)),
          text,
        })
      }
    />
  ))
}

function extractConditions(conditions: readonly Condition[], text: string): SearchBoxContents {
  const read = readQuery(text)
  const last = read.conditions.at(-1)
  const isEnded = /:"(?:[^"\\]|\\.)+"\s?$/.test(text) || (/\s$/.test(text) && last !== undefined && endsAtSpace(last))
  if (!isEnded || last === undefined || !isKnown(last)) return { conditions, text }
  return { conditions: [...conditions, ...read.conditions.map(toAbsoluteDate)], text: read.words }
}
