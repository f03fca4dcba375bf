import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { announce } from './announce.tsx'
import './listbox.css'

export interface ComboboxOption {
  readonly key: string
  readonly label: string
  readonly detail?: string | undefined
  readonly sign?: ComponentChildren
  readonly mark?: ComponentChildren
}

interface ComboboxProps<Option extends ComboboxOption> {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly field: RefObject<HTMLInputElement | null>
  readonly maxLengthOf?: (typed: string) => number
  readonly opensOnFocus?: boolean
  /** Whether the focus stays for more choices. Comma chooses too; Enter or Tab in the empty field ends. */
  readonly isMultiple?: boolean
  /** Describes a text that the user has typed. */
  readonly noteFor?: (text: string) => string | undefined
  readonly optionsFor: (typed: string) => readonly Option[]
  readonly onChoose: (option: Option) => void
  /** Accepts typed text that is not an option. If absent, only options can be chosen. */
  readonly onText?: (text: string) => void
  /** Called when a key press or click ends the choice, but not on blur. */
  readonly onDone: () => void
  readonly onDeleteBefore?: () => void
}

/** Follows the ARIA combobox pattern: arrows move, Enter and Tab accept, Escape cancels. */
export function Combobox<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const { label, value, placeholder, field, maxLengthOf, opensOnFocus = false, noteFor } = props
  const list = useId()
  const [isEdited, setEdited] = useState(false)
  const { typed, isOpen, options, chosen, open, input, leave, choose, onKey } = useCompletion(props)
  const isEmpty = props.onText === undefined && isOpen && options.length === 0 && (typed ?? '').trim() !== ''
  useOptionCountAnnouncement(isOpen ? options.length : undefined)
  const note = isEdited ? noteFor?.((typed ?? value).trim()) : undefined
  useEffect(() => {
    if (note !== undefined) announce(note)
  }, [note])
  return (
    <span class="combobox">
      <input
        ref={field}
        class="combobox-field"
        role="combobox"
        dir="auto"
        aria-label={label}
        aria-describedby={note === undefined ? undefined : `${list}-note`}
        aria-autocomplete="list"
        aria-expanded={isOpen && options.length > 0}
        aria-controls={list}
        aria-activedescendant={isOpen && options[chosen] !== undefined ? optionId(list, chosen) : undefined}
        autocomplete="off"
        maxLength={maxLengthOf?.(typed ?? value)}
        placeholder={placeholder}
        value={typed ?? value}
        onFocus={(event) => {
          event.currentTarget.select()
          if (opensOnFocus) open()
        }}
        // Does not open on focus, because a layout change could then move the field away from the finger.
        onPointerDown={open}
        onInput={(event) => {
          setEdited(true)
          input(event.currentTarget.value)
        }}
        onKeyDown={onKey}
        onBlur={leave}
      />
      {note !== undefined && (
        <span id={`${list}-note`} class="combobox-note">
          {note}
        </span>
      )}
      {isEmpty && <p class="listbox combobox-empty">{t().nav.noMatch}</p>}
      {options.length > 0 && (
        <Listbox id={list} label={label} items={options} chosen={chosen} keyOf={({ key }) => key} onChoose={choose}>
          {({ sign, label: name, mark, detail }) => (
            <>
              {sign}
              <span class="option-label">
                <bdi>{name}</bdi>
              </span>
              {mark}
              {detail !== undefined && <bdi class="option-detail">{detail}</bdi>}
            </>
          )}
        </Listbox>
      )}
    </span>
  )
}

function useCompletion<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const { value, isMultiple = false, optionsFor, onChoose, onText, onDone, onDeleteBefore } = props
  const [typed, setTyped] = useState<string>()
  // Uses a ref, because choosing an option clears the text and moves the focus before the next render.
  const pending = useRef<string | undefined>(undefined)
  const [isOpen, setOpen] = useState(false)
  const first = onText === undefined && !isMultiple ? 0 : -1
  const [chosen, setChosen] = useState(first)
  const query = (typed ?? '').trim()
  const options = isOpen ? optionsFor(query) : []
  const option = options[chosen]
  const open = (): void => setOpen(true)
  const reset = (): void => {
    pending.current = undefined
    setTyped(undefined)
    setOpen(false)
    setChosen(first)
  }
  const choose = (one: Option): void => {
    reset()
    onChoose(one)
    if (!isMultiple) onDone()
  }
  const take = (): void => {
    if (option !== undefined) choose(option)
    // Keeps text that matches nobody, for correction.
    else if (!isMultiple || query === '') {
      reset()
      onText?.((typed ?? value).trim())
      onDone()
    }
  }
  const input = (text: string): void => {
    pending.current = text
    setTyped(text)
    setOpen(true)
    setChosen(isMultiple && text.trim() !== '' ? 0 : first)
  }
  const leave = (): void => {
    const { current: left } = pending
    // Keeps typed text that matches no option, for correction.
    if (onText === undefined && value === '') return setOpen(false)
    reset()
    if (left !== undefined) onText?.(left.trim())
  }
  const accepts = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (key === 'Enter') return true
    // Leaving a list that only opened by a click or a key chooses nothing.
    const isPicked = option !== undefined && (query !== '' || chosen !== first)
    if (key === 'Tab') return !shiftKey && (isPicked || (isMultiple && query === ''))
    // Names can contain commas.
    return isMultiple && key === ',' && option !== undefined && optionsFor(`${query},`).length === 0
  }
  const onKey = (event: KeyboardEvent): void => {
    // Ignores Alt with an arrow key, which runs a command.
    if (event.altKey) return
    const moved = indexAfterKey(event.key, chosen, isOpen ? options.length : 1)
    if (moved !== undefined) {
      setOpen(true)
      if (isOpen) setChosen(moved)
    } else if (accepts(event)) take()
    else if (event.key === 'Escape' && (isOpen || typed !== undefined)) {
      reset()
      event.stopPropagation()
    } else if (event.key === 'Backspace' && onDeleteBefore !== undefined && isEmptyField(event.currentTarget))
      onDeleteBefore()
    else return
    event.preventDefault()
  }
  return { typed, isOpen, options, chosen, open, input, leave, choose, onKey }
}

function isEmptyField(field: EventTarget | null): boolean {
  return field instanceof HTMLInputElement && field.value === ''
}

export function useOptionCountAnnouncement(number: number | undefined): void {
  const said = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (number !== undefined && number !== said.current) announce(t().app.options(number))
    said.current = number
  }, [number])
}

interface ListboxProps<Item> {
  readonly id: string
  readonly label: string
  readonly items: readonly Item[]
  /** Index of the active item; -1 if no item is active. */
  readonly chosen: number
  readonly keyOf: (item: Item) => string
  readonly isDisabled?: (item: Item) => boolean
  readonly onChoose: (item: Item) => void
  readonly children: (item: Item) => ComponentChildren
}

/** List below a field. The field keeps the focus and refers to the active item. */
export function Listbox<Item>(props: ListboxProps<Item>) {
  const { id, label, items, chosen, keyOf, isDisabled = () => false, onChoose, children } = props
  return (
    <ul id={id} class="listbox" role="listbox" aria-label={label} onMouseDown={keepFocusInField}>
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          id={optionId(id, index)}
          class="option"
          role="option"
          aria-selected={index === chosen}
          aria-disabled={isDisabled(item)}
          onClick={() => isDisabled(item) || onChoose(item)}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  )
}

/** Keeps a list open until the click. If the press closed it, the click would hit whatever is behind the list. */
export function keepFocusInField(event: MouseEvent): void {
  event.preventDefault()
}

export function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

export function indexAfterKey(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1
  return undefined
}
