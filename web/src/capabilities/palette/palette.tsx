import type { RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Finder, type FoundItem } from '../../kernel/finding.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { takeTypedText } from '../../platform/dom/early-field.tsx'
import { Icon } from '../../platform/dom/icons.tsx'
import { afterPaint } from '../../platform/dom/painted.ts'
import { useLayer } from '../../platform/layers.ts'
import { allSections } from '../../platform/settings/sections.ts'
import { Badge } from '../unread/badge.tsx'
import { GroupAvatar } from '../users/parts/avatar.tsx'
import {
  allEntries,
  hasFilter,
  messageEntries,
  recentConversations,
  requestRecentConversations,
  searchEntry,
  PREFIX_FILTERS,
  weightOf,
  yieldToInput,
  type Entry,
  recordEntryUse,
} from './entries.ts'
import { TIER, tierOfEntry } from './ranking.ts'
import { closePalette, restoreFocus, textOnOpening } from './state.ts'
import './palette.css'

const MAX_RESULTS = 12
const MAX_MESSAGE_RESULTS = 3
const SEARCH_DELAY_MILLISECONDS = 150
const MIN_SEARCHED_LETTERS = 3

function usePaletteResults(typed: string): readonly Entry[] | undefined {
  const sign = typed.charAt(0)
  const isMeant = PREFIX_FILTERS[sign]
  const query = (isMeant === undefined ? typed : typed.slice(1)).trim()
  // Paints the field first, then collects all entries once. Settings pages load meanwhile.
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let isOpen = true
    afterPaint(() => {
      if (isOpen) setPainted(true)
    })
    return () => {
      isOpen = false
    }
  }, [])
  useEffect(() => {
    if (isPainted) void requestRecentConversations()
  }, [isPainted])
  const pages = allSections()?.length
  const recent = recentConversations.value
  const entries = useMemo(() => (isPainted ? allEntries() : []), [isPainted, pages, recent])
  const finder = useMemo(
    () => new Finder(isMeant === undefined ? entries : entries.filter(isMeant), { weightOf, tierOf: tierOfEntry }),
    [isMeant, entries],
  )
  const [found, setFound] = useState<readonly FoundItem<Entry>[]>([])
  const [said, setSaid] = useState<readonly Entry[]>([])
  useLayoutEffect(() => {
    const aborter = new AbortController()
    void finder.find(query, MAX_RESULTS, yieldToInput, aborter.signal).then((best) => {
      if (!aborter.signal.aborted) setFound(best)
    })
    return () => aborter.abort()
  }, [finder, query])
  useEffect(() => {
    setSaid([])
    if (isMeant !== undefined || query.length < MIN_SEARCHED_LETTERS) return undefined
    const timer = setTimeout(() => setSaid(messageEntries(query, MAX_MESSAGE_RESULTS)), SEARCH_DELAY_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [isMeant, query])
  if (!isPainted) return undefined
  if (isMeant !== undefined || query === '') return found.map(({ item }) => item)
  const inTiers = (from: number, to: number): readonly Entry[] =>
    found.flatMap(({ item, tier }) => (tier >= from && tier <= to ? [item] : []))
  const named = inTiers(TIER.wanted, TIER.named)
  const [likely, weak] = [inTiers(TIER.likely, TIER.likely), inTiers(TIER.weak, TIER.weak)]
  if (hasFilter(query)) return [searchEntry(query), ...said, ...named, ...likely, ...weak]
  return [...named, ...said, ...likely, searchEntry(query), ...weak]
}

/** Replaces a modal dialog, with which browsers restyle every element twice, taking 50 ms each time on slow CPUs. */
function useModalPopover(overlay: RefObject<HTMLElement | null>): void {
  // Uses a layout effect, so that the next key press reaches the field.
  useLayoutEffect(() => {
    const { current: element } = overlay
    element?.showPopover()
    return () => {
      const hasFocus = element?.contains(document.activeElement)
      element?.hidePopover()
      if (hasFocus) restoreFocus()
    }
  }, [])
}

export function Palette() {
  const overlay = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState(() => takeTypedText() || textOnOpening())
  const [chosenKey, setChosenKey] = useState<string>()
  const list = useId()
  useLayer(closePalette)
  const found = usePaletteResults(typed)
  const entries = found ?? []
  // Messages are found later than other entries, and must not change which entry is chosen.
  const chosen = Math.max(
    0,
    entries.findIndex(({ key }) => key === chosenKey),
  )
  useModalPopover(overlay)
  useEffect(() => {
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const run = (index: number): void => {
    const entry = entries[index]
    if (entry === undefined) return
    closePalette()
    recordEntryUse(entry.key)
    entry.run()
  }
  const onKey = (event: KeyboardEvent): void => {
    const { length } = entries
    if (event.key === 'Escape') closePalette()
    // Tab does nothing, because the field is the only focusable element.
    else if (event.key === 'Tab') event.preventDefault()
    else if (event.key === 'ArrowDown') setChosenKey(entries[(chosen + 1) % length]?.key)
    else if (event.key === 'ArrowUp') setChosenKey(entries.at(chosen - 1)?.key)
    else if (event.key === 'Enter') run(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={overlay}
      class="palette-overlay"
      popover="manual"
      role="dialog"
      aria-modal="true"
      aria-label={t().palette.label}
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
      }}
      onClick={(event) => {
        if (event.target === overlay.current) closePalette()
      }}
    >
      <div class="dialog palette">
        <input
          class="palette-field"
          role="combobox"
          aria-label={t().palette.label}
          aria-expanded={true}
          aria-controls={list}
          aria-activedescendant={entries.length === 0 ? undefined : `${list}-${chosen}`}
          placeholder={tl().palette.placeholder}
          autocomplete="off"
          value={typed}
          autofocus
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setChosenKey(undefined)
          }}
          onKeyDown={onKey}
        />
        <Results list={list} entries={entries} chosen={chosen} onChoose={run} />
        {found?.length === 0 && <p class="empty">{tl().palette.empty}</p>}
        <p class="palette-hint">{tl().palette.hint}</p>
      </div>
    </div>
  )
}

interface ResultsProps {
  readonly list: string
  readonly entries: readonly Entry[]
  readonly chosen: number
  readonly onChoose: (index: number) => void
}

function Results({ list, entries, chosen, onChoose }: ResultsProps) {
  return (
    <ul id={list} class="palette-list" role="listbox" aria-label={t().palette.label}>
      {entries.map((entry, index) => (
        <Row
          key={entry.key}
          id={`${list}-${index}`}
          entry={entry}
          isChosen={index === chosen}
          onChoose={() => onChoose(index)}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly id: string
  readonly entry: Entry
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Row({ id, entry, isChosen, onChoose }: RowProps) {
  const { name, icon, detail, userIds, shortcut, unread } = entry
  return (
    <li id={id} class="option" role="option" aria-selected={isChosen} onClick={onChoose}>
      {userIds === undefined ? <Icon name={icon} size={17} /> : <GroupAvatar userIds={userIds} size={20} />}
      <span class={unread !== undefined ? 'option-label is-unread' : 'option-label'}>
        <bdi>{name}</bdi>
      </span>
      {(detail !== undefined || unread !== undefined) && (
        <span class="option-detail">
          <bdi>{detail}</bdi>
          <Badge {...unread} />
        </span>
      )}
      {shortcut !== undefined && <kbd class="palette-key">{shortcut}</kbd>}
    </li>
  )
}
