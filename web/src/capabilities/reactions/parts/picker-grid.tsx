import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import type { OfferedEmoji, EmojiSection } from '../sections.ts'

const COLUMNS = 8
const LINE_HEIGHT_REM = 2.25
const LINES_IN_VIEW = 8
const EXTRA_LINES = 4

interface Row {
  readonly line: number
  readonly emoji: readonly OfferedEmoji[]
}

interface SectionTitle {
  readonly line: number
  readonly id: string
  readonly title: string
}

/** Titles and rows of emoji. All are one line high, so that the position of every emoji is known before it is drawn. */
export interface GridLines {
  readonly titles: readonly SectionTitle[]
  readonly rows: readonly Row[]
  readonly count: number
}

export function layOutLines(sections: readonly EmojiSection[]): GridLines {
  const titles: SectionTitle[] = []
  const rows: Row[] = []
  const count = (): number => titles.length + rows.length
  for (const { id, title, emoji } of sections) {
    if (title !== '' && emoji.length > 0) titles.push({ line: count(), id, title })
    for (let at = 0; at < emoji.length; at += COLUMNS)
      rows.push({ line: count(), emoji: emoji.slice(at, at + COLUMNS) })
  }
  return { titles, rows, count: count() }
}

interface GridPosition {
  readonly row: number
  readonly column: number
}

export interface GridControls {
  readonly focus: () => void
  readonly showSection: (id: string) => void
}

interface ChoiceProps {
  readonly signOf: (emoji: OfferedEmoji) => ComponentChildren
  readonly onChoose: (emoji: OfferedEmoji) => void
  /** Called when the pointer or the focus reaches an emoji. */
  readonly onPoint: (emoji: OfferedEmoji) => void
}

interface PickerGridProps extends ChoiceProps {
  readonly lines: GridLines
  readonly controls: RefObject<GridControls | null>
  readonly onSection: (id: string | undefined) => void
  /** Called when the up arrow leaves the first row. */
  readonly onLeave: () => void
}

/** Draws only the lines in view, because drawing all emoji would delay the picker. */
export function PickerGrid({ lines, controls, onSection, onLeave, ...choices }: PickerGridProps) {
  const grid = useRef<HTMLDivElement>(null)
  const [firstLine, setFirstLine] = useState(0)
  const [active, setActive] = useState<GridPosition>({ row: 0, column: 0 })
  const wantsFocus = useRef(false)
  useLayoutEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [active])
  const focus = (position: GridPosition): void => {
    const row = lines.rows[position.row]
    if (row === undefined || grid.current === null) return
    scrollToLine(grid.current, row.line)
    wantsFocus.current = true
    setActive({ ...position })
  }
  controls.current = {
    focus: () => focus(active),
    showSection(id) {
      const title = lines.titles.find((one) => one.id === id)
      if (title === undefined || grid.current === null) return
      grid.current.scrollTop = title.line * linePixels()
      setActive({ row: lines.rows.findIndex(({ line }) => line > title.line), column: 0 })
    },
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextPosition(event, lines.rows, active)
    if (next === undefined) return
    event.preventDefault()
    if (next.row < 0) onLeave()
    else focus(next)
  }
  const isDrawn = ({ line }: { readonly line: number }): boolean =>
    line >= firstLine - EXTRA_LINES && line < firstLine + LINES_IN_VIEW + EXTRA_LINES
  return (
    <div
      ref={grid}
      class="picker-grid"
      role="grid"
      aria-label={tl().emoji.title}
      aria-rowcount={lines.count}
      aria-colcount={COLUMNS}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => {
        const line = Math.round(currentTarget.scrollTop / linePixels())
        setFirstLine(line)
        onSection(lines.titles.findLast((title) => title.line <= line)?.id)
      }}
    >
      <div role="rowgroup" style={{ blockSize: `${lines.count * LINE_HEIGHT_REM}rem` }}>
        {lines.titles.filter(isDrawn).map(({ line, id, title }) => (
          <div key={id} class="picker-line" role="row" aria-rowindex={line + 1} style={positionOf(line)}>
            <span class="picker-title" role="rowheader" aria-colspan={COLUMNS}>
              {title}
            </span>
          </div>
        ))}
        {lines.rows.map((row, index) =>
          // The row with the focus is never removed.
          isDrawn(row) || index === active.row ? (
            <EmojiRow
              key={row.line}
              row={row}
              activeColumn={index === active.row ? active.column : undefined}
              {...choices}
            />
          ) : null,
        )}
      </div>
    </div>
  )
}

interface EmojiRowProps extends ChoiceProps {
  readonly row: Row
  readonly activeColumn: number | undefined
}

function EmojiRow({ row: { line, emoji: all }, activeColumn, signOf, onChoose, onPoint }: EmojiRowProps) {
  return (
    <div class="picker-line" role="row" aria-rowindex={line + 1} style={positionOf(line)}>
      {all.map((emoji, column) => (
        <div key={`${emoji.type}:${emoji.code}`} role="gridcell">
          <button
            tabIndex={column === activeColumn ? 0 : -1}
            aria-label={emoji.label}
            title={`:${emoji.name}:`}
            onClick={() => onChoose(emoji)}
            onPointerEnter={() => onPoint(emoji)}
            onFocus={() => onPoint(emoji)}
          >
            {signOf(emoji)}
          </button>
        </div>
      ))}
    </div>
  )
}

const positionOf = (line: number) => ({ insetBlockStart: `${line * LINE_HEIGHT_REM}rem` })

function linePixels(): number {
  return LINE_HEIGHT_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

function scrollToLine(grid: HTMLElement, line: number): void {
  const height = linePixels()
  const [start, end] = [line * height, (line + 1) * height]
  if (start < grid.scrollTop) grid.scrollTop = start
  else if (end > grid.scrollTop + grid.clientHeight) grid.scrollTop = end - grid.clientHeight
}

/** Returns a row below zero if the key leaves the grid, and undefined for other keys. */
function nextPosition(
  event: KeyboardEvent,
  rows: readonly Row[],
  { row, column }: GridPosition,
): GridPosition | undefined {
  const lastRow = rows.length - 1
  const lastColumn = (of: number): number => (rows[of]?.emoji.length ?? 1) - 1
  const inRow = (of: number): GridPosition => ({ row: of, column: Math.min(column, lastColumn(of)) })
  const before = (): GridPosition =>
    column > 0 || row === 0 ? { row, column: Math.max(0, column - 1) } : { row: row - 1, column: lastColumn(row - 1) }
  const after = (): GridPosition =>
    column < lastColumn(row) || row === lastRow
      ? { row, column: Math.min(lastColumn(row), column + 1) }
      : { row: row + 1, column: 0 }
  const isMirrored = event.target instanceof Element && getComputedStyle(event.target).direction === 'rtl'
  const all = event.ctrlKey || event.metaKey
  switch (event.key) {
    case 'ArrowRight':
      return isMirrored ? before() : after()
    case 'ArrowLeft':
      return isMirrored ? after() : before()
    case 'ArrowDown':
      return inRow(Math.min(lastRow, row + 1))
    case 'ArrowUp':
      return inRow(row - 1)
    case 'PageDown':
      return inRow(Math.min(lastRow, row + LINES_IN_VIEW))
    case 'PageUp':
      return inRow(Math.max(0, row - LINES_IN_VIEW))
    case 'Home':
      return { row: all ? 0 : row, column: 0 }
    case 'End':
      return all ? { row: lastRow, column: lastColumn(lastRow) } : { row, column: lastColumn(row) }
    default:
      return undefined
  }
}
