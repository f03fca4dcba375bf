import { useSignal, type ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { emojiFromCode } from '../../../platform/dom/html.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { useLayer } from '../../../platform/layers.ts'
import { placeBeside } from '../../../platform/overlay/beside.ts'
import { loadDescriptions, allSections, findEmoji, type OfferedEmoji, type EmojiSection } from '../sections.ts'
import { closePicker, openedPicker, type OpenPicker } from '../picking.ts'
import { PALM_EMOJI, SKIN_TONES, skinTone, withSkinTone } from '../skin-tones.ts'
import { EmojiSign } from './emoji.tsx'
import { layOutLines, PickerGrid, type GridControls } from './picker-grid.tsx'
import './picker.css'

export function Picker() {
  const box = useRef<HTMLDivElement>(null)
  const picker = openedPicker.value
  useLayer(picker && closePicker)
  useEffect(() => {
    const element = box.current
    if (picker === undefined || element === null) return undefined
    void loadDescriptions()
    element.showPopover()
    placeBeside(element, picker.from, picker.at)
    // On a touch screen, the keyboard would cover the emoji.
    const isTouched = window.matchMedia('(pointer: coarse)').matches
    ;(isTouched ? element : element.querySelector('input'))?.focus()
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !element.contains(event.target)) closePicker()
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [picker])
  if (picker === undefined) return null
  return (
    <div
      ref={box}
      class="picker"
      popover="manual"
      role="dialog"
      tabIndex={-1}
      aria-label={tl().emoji.title}
      onKeyDown={onKey}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) closePicker()
      }}
    >
      <Choices picker={picker} />
    </div>
  )
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  event.stopPropagation()
  if (event.key === 'Escape') {
    event.preventDefault()
    closePicker()
  } else if (/^[^ ]$/u.test(event.key) && event.currentTarget instanceof HTMLElement)
    event.currentTarget.querySelector('input')?.focus()
}

function Choices({ picker: { choose, hasTones = false } }: { readonly picker: OpenPicker }) {
  const [query, setQuery] = useState('')
  const [section, setSection] = useState<string | undefined>('recent')
  const grid = useRef<GridControls>(null)
  const search = useRef<HTMLDivElement>(null)
  const sections = allSections.value
  const found = useMemo(() => (query.trim() === '' ? undefined : findEmoji(query)), [query, sections])
  const lines = useMemo(
    () => layOutLines(found === undefined ? sections : [{ id: 'found', title: '', emoji: found }]),
    [found, sections],
  )
  const pointed = useSignal<OfferedEmoji | undefined>(undefined)
  const tone = hasTones ? skinTone.read() : ''
  const toned = ({ hasTones: varies, code }: OfferedEmoji): string | undefined =>
    varies && tone !== '' ? withSkinTone(emojiFromCode(code), tone) : undefined
  const pick = (emoji: OfferedEmoji): void => {
    closePicker()
    choose(emoji, toned(emoji) ?? `:${emoji.name}:`)
  }
  const signOf = (emoji: OfferedEmoji) => {
    const sign = toned(emoji)
    return sign === undefined ? <EmojiSign emoji={emoji} /> : <span aria-hidden="true">{sign}</span>
  }
  return (
    <>
      <div
        ref={search}
        class={found === undefined ? undefined : 'picker-searched'}
        onKeyDown={(event) => {
          const [best] = found ?? []
          if (event.key === 'ArrowDown') grid.current?.focus()
          else if (event.key === 'Enter' && best !== undefined) pick(best)
          else return
          event.preventDefault()
        }}
      >
        <FilterField
          label={t().search.emoji}
          value={query}
          onChange={(typed) => {
            setQuery(typed)
            pointed.value = undefined
          }}
        />
      </div>
      <CategoryBar
        sections={sections}
        current={found === undefined ? section : undefined}
        onChoose={(id) => {
          setQuery('')
          // The grid shows the section after it has drawn all sections again.
          setSection(id)
          requestAnimationFrame(() => grid.current?.showSection(id))
        }}
      />
      <PickerGrid
        key={query}
        lines={lines}
        controls={grid}
        signOf={signOf}
        onChoose={pick}
        onPoint={(emoji) => {
          pointed.value = emoji
        }}
        onSection={setSection}
        onLeave={() => search.current?.querySelector('input')?.focus()}
      />
      <p class={found?.length === 0 ? 'picker-none note' : 'visually-hidden'} role="status">
        {found !== undefined && (found.length === 0 ? tl().search.noEmoji : tl().emoji.results(found.length))}
      </p>
      <div class="picker-foot">
        <Preview pointed={pointed} best={found?.[0]} signOf={signOf} />
        {hasTones && <SkinTones />}
      </div>
    </>
  )
}

interface CategoryBarProps {
  readonly sections: readonly EmojiSection[]
  readonly current: string | undefined
  readonly onChoose: (id: string) => void
}

/** Tab reaches one button, and arrow keys move between buttons. */
function CategoryBar({ sections, current, onChoose }: CategoryBarProps) {
  const inTabOrder = sections.some(({ id }) => id === current) ? current : sections[0]?.id
  return (
    <div class="picker-categories" role="toolbar" aria-label={tl().emoji.categories} onKeyDown={moveFocusAlongBar}>
      {sections.map(({ id, title, sign }) => (
        <button
          key={id}
          aria-label={title}
          aria-current={id === current}
          title={title}
          tabIndex={id === inTabOrder ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {sign === undefined ? <Icon name="recent" size={18} /> : <EmojiSign emoji={sign} />}
        </button>
      ))}
    </div>
  )
}

function moveFocusAlongBar(event: KeyboardEvent): void {
  const { currentTarget: bar, key } = event
  if (!(bar instanceof HTMLElement) || !['ArrowLeft', 'ArrowRight'].includes(key)) return
  event.preventDefault()
  const buttons = [...bar.querySelectorAll('button')]
  const isForward = (key === 'ArrowRight') !== (getComputedStyle(bar).direction === 'rtl')
  const at = buttons.findIndex((button) => button === document.activeElement)
  buttons.at((at + (isForward ? 1 : -1)) % buttons.length)?.focus()
}

interface PreviewProps {
  readonly pointed: ReadonlySignal<OfferedEmoji | undefined>
  /** The emoji that Enter chooses. */
  readonly best: OfferedEmoji | undefined
  readonly signOf: (emoji: OfferedEmoji) => ComponentChildren
}

function Preview({ pointed, best, signOf }: PreviewProps) {
  const emoji = pointed.value ?? best
  return (
    <div class="picker-preview" aria-hidden="true">
      {emoji !== undefined && (
        <>
          {signOf(emoji)}
          <span>{emoji.label}</span>
        </>
      )}
    </div>
  )
}

function SkinTones() {
  return (
    <div class="picker-tones" role="radiogroup" aria-label={tl().emoji.tone}>
      {SKIN_TONES.map((tone, index) => (
        <label key={tone} title={tl().emoji.tones[index]}>
          <input
            type="radio"
            name="skin-tone"
            aria-label={tl().emoji.tones[index]}
            checked={tone === skinTone.read()}
            onChange={() => void skinTone.write(tone)}
          />
          <span aria-hidden="true">{withSkinTone(PALM_EMOJI, tone)}</span>
        </label>
      ))}
    </div>
  )
}
