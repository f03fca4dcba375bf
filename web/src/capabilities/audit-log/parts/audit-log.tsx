import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { timeOfDay, dayTitle, fullTime } from '../../../kernel/time.ts'
import { store } from '../../../platform/client.ts'
import { saveFile } from '../../../platform/dom/saving.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { isWide } from '../../../platform/frame.ts'
import { Rows } from '../../../platform/list/rows.tsx'
import { LoadFailure, EmptyState, LoadingRows } from '../../../platform/list/states.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { PersonField } from '../../users/parts/person-field.tsx'
import { activePeople, userName } from '../../users/state.ts'
import { NO_FILTER, readAllEntries, useEntries, type Entry, type AuditFilter } from '../entries.ts'
import { toCsv, toJson, changeText, KINDS, entrySentence } from '../wording.ts'
import './audit-log.css'

const ROW_HEIGHT_PIXELS = { wide: 36, other: 68 } as const

export function AuditLog() {
  const [wanted, setWanted] = useState<AuditFilter>(NO_FILTER)
  const [open, setOpen] = useState<Entry>()
  const { entries, hasOlder, isLoading, hasFailed, more } = useEntries(wanted)
  return (
    <div class="form">
      <Filters wanted={wanted} onChange={(changed) => setWanted({ ...wanted, ...changed })} />
      <SaveButtons wanted={wanted} />
      {!isLoading && !hasFailed && entries.length === 0 && (
        <EmptyState icon="recent" title={ta().audit.none} more={ta().audit.noneMore} />
      )}
      <Rows
        things={entries}
        keyOf={({ id }) => id}
        height={isWide.value ? ROW_HEIGHT_PIXELS.wide : ROW_HEIGHT_PIXELS.other}
        label={ta().audit.entries}
      >
        {(entry) => (
          <button class="person-row audit-row" onClick={() => setOpen(entry)}>
            <bdi class="audit-said">{entrySentence(entry)}</bdi>
            <bdi class="note">{entry.changes.map(changeText).join(' · ')}</bdi>
            <span class="note audit-time">{`${dayTitle(entry.timestamp)} ${timeOfDay(entry.timestamp)}`}</span>
          </button>
        )}
      </Rows>
      {isLoading && <LoadingRows rows={entries.length === 0 ? 6 : 1} />}
      {hasFailed && <LoadFailure again={more} />}
      {!isLoading && !hasFailed && hasOlder && (
        <button class="button" onClick={more}>
          {ta().audit.older}
        </button>
      )}
      {open !== undefined && <EntryDialog entry={open} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

interface FiltersProps {
  readonly wanted: AuditFilter
  readonly onChange: (changed: Partial<AuditFilter>) => void
}

function Filters({ wanted, onChange }: FiltersProps) {
  const { kind, userId, from, until } = wanted
  const date = (label: string, value: string, change: (chosen: string) => void) => (
    <label class="field">
      <span>{label}</span>
      <input class="input" type="date" value={value} onChange={({ currentTarget }) => change(currentTarget.value)} />
    </label>
  )
  return (
    <div class="audit-filters">
      <label class="field">
        <span>{ta().audit.kind}</span>
        <select
          class="input"
          value={kind ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ kind: KINDS.find((one) => one === value) })}
        >
          <option value="">{ta().audit.everyKind}</option>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {ta().audit.kinds[one]}
            </option>
          ))}
        </select>
      </label>
      {date(ta().audit.from, from, (chosen) => onChange({ from: chosen }))}
      {date(ta().audit.until, until, (chosen) => onChange({ until: chosen }))}
      <div class="field">
        <span>{ta().audit.person}</span>
        {userId === undefined ? (
          <PersonField
            label={ta().audit.person}
            among={[...activePeople.value, ...store().read('realm_non_active_users')]}
            onChoose={(chosen) => onChange({ userId: chosen })}
          />
        ) : (
          <button class="button" onClick={() => onChange({ userId: undefined })}>
            <bdi>{userName(userId)}</bdi>
            <Icon name="close" size={14} />
          </button>
        )}
      </div>
    </div>
  )
}

function SaveButtons({ wanted }: { readonly wanted: AuditFilter }) {
  const [count, setCount] = useState<number>()
  const [refusal, run] = useRefusal()
  const save = async (ending: 'csv' | 'json'): Promise<void> => {
    setCount(0)
    await run(async () => {
      const entries = await readAllEntries(wanted, setCount)
      const text = ending === 'csv' ? toCsv(entries) : toJson(entries)
      saveFile(`audit-log.${ending}`, new Blob([text], { type: ending === 'csv' ? 'text/csv' : 'application/json' }))
    })
    setCount(undefined)
  }
  return (
    <>
      <div class="own-picture">
        <button class="button" disabled={count !== undefined} onClick={() => void save('csv')}>
          {ta().audit.csv}
        </button>
        <button class="button" disabled={count !== undefined} onClick={() => void save('json')}>
          {ta().audit.json}
        </button>
        {count !== undefined && <span class="note">{ta().audit.saving(count)}</span>}
      </div>
      {refusal}
    </>
  )
}

function EntryDialog({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  return (
    <Dialog title={entrySentence(entry)} onClose={onClose}>
      <p class="note">{fullTime(entry.timestamp)}</p>
      <ul class="audit-changes">
        {entry.changes.map((change) => (
          <li key={change.property} dir="auto">
            {changeText(change)}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
