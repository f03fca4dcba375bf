import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { t } from '../../kernel/strings.ts'
import { announce } from './announce.tsx'
import { Listbox, movedBy, optionId } from './listbox.tsx'

export interface ComboboxOption {
  readonly key: string
  readonly label: string
  readonly detail?: string | undefined
  /** Stands before the label. */
  readonly sign?: ComponentChildren
}

interface ComboboxProps<Option extends ComboboxOption> {
  readonly label: string
  /** What was chosen, as it is shown while nothing is typed. */
  readonly value: string
  readonly placeholder: string
  readonly field: RefObject<HTMLInputElement | null>
  readonly maxLength?: number
  readonly optionsFor: (typed: string) => readonly Option[]
  readonly onChoose: (option: Option) => void
  /** Takes what was typed itself; where it is missing, only an option can be chosen. */
  readonly onText?: (text: string) => void
  /** Called after a key or a click took something, but not when the field is only left. */
  readonly onDone: () => void
  /** The key that deletes, where nothing is left to delete. */
  readonly onDeleteBefore?: () => void
}

/** A field that completes what is typed, by the pattern of a combobox: arrows move, Enter takes, Escape takes back. */
export function Combobox<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const { label, value, placeholder, field, maxLength } = props
  const list = useId()
  const { typed, isOpen, options, chosen, open, input, leave, choose, onKey } = useCompleting(props)
  useOptionCount(isOpen ? options.length : undefined)
  return (
    <span class="combobox">
      <input
        ref={field}
        class="combobox-field"
        role="combobox"
        dir="auto"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isOpen && options.length > 0}
        aria-controls={list}
        aria-activedescendant={isOpen && options[chosen] !== undefined ? optionId(list, chosen) : undefined}
        autocomplete="off"
        maxLength={maxLength}
        placeholder={placeholder}
        value={typed ?? value}
        onFocus={(event) => event.currentTarget.select()}
        // Before the focus moves: what makes room then may take the field away from below the finger.
        onPointerDown={open}
        onInput={(event) => input(event.currentTarget.value)}
        onKeyDown={onKey}
        onBlur={leave}
      />
      {options.length > 0 && (
        <Listbox id={list} label={label} items={options} chosen={chosen} keyOf={({ key }) => key} onChoose={choose}>
          {({ sign, label: name, detail }) => (
            <>
              {sign}
              <span class="option-label">
                <bdi>{name}</bdi>
              </span>
              {detail !== undefined && <span class="option-detail">{detail}</span>}
            </>
          )}
        </Listbox>
      )}
    </span>
  )
}

/** What is typed into a field, what it may mean, and what keys do with that. */
function useCompleting<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const { value, optionsFor, onChoose, onText, onDone, onDeleteBefore } = props
  // What is typed; undefined while the field shows what was chosen.
  const [typed, setTyped] = useState<string>()
  // The same at once: taking an option moves the focus before the field is drawn again.
  const pending = useRef<string | undefined>(undefined)
  const [isOpen, setOpen] = useState(false)
  const first = onText === undefined ? 0 : -1
  const [chosen, setChosen] = useState(first)
  const options = isOpen ? optionsFor((typed ?? '').trim()) : []
  const open = (): void => setOpen(true)
  const settle = (): void => {
    pending.current = undefined
    setTyped(undefined)
    setOpen(false)
    setChosen(first)
  }
  const choose = (option: Option): void => {
    settle()
    onChoose(option)
    onDone()
  }
  const take = (): void => {
    const option = isOpen ? options[chosen] : undefined
    if (option !== undefined) choose(option)
    else {
      settle()
      onText?.((typed ?? value).trim())
      onDone()
    }
  }
  const input = (text: string): void => {
    pending.current = text
    setTyped(text)
    setOpen(true)
    setChosen(first)
  }
  const leave = (): void => {
    const { current: left } = pending
    settle()
    if (left !== undefined) onText?.(left.trim())
  }
  const onKey = (event: KeyboardEvent): void => {
    // With Alt arrows are keys of commands.
    if (event.isComposing || event.altKey) return
    const moved = movedBy(event.key, chosen, isOpen ? options.length : 1)
    if (moved !== undefined) {
      setOpen(true)
      if (isOpen) setChosen(moved)
    } else if (event.key === 'Enter') take()
    else if (event.key === 'Escape' && (isOpen || typed !== undefined)) {
      settle()
      event.stopPropagation()
    } else if (event.key === 'Backspace' && onDeleteBefore !== undefined && isEmpty(event.currentTarget))
      onDeleteBefore()
    else return
    event.preventDefault()
  }
  return { typed, isOpen, options, chosen, open, input, leave, choose, onKey }
}

function isEmpty(field: EventTarget | null): boolean {
  return field instanceof HTMLInputElement && field.value === ''
}

/** Says to screen readers how many items a list has, when it opens and when that changes. */
export function useOptionCount(number: number | undefined): void {
  const said = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (number !== undefined && number !== said.current) announce(t().app.options(number))
    said.current = number
  }, [number])
}
