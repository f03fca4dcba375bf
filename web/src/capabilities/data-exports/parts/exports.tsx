import { dataExports } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import type { SettingsGroup } from '../../../kernel/setting.ts'
import { timeOfDay, dayTitle, fullTime } from '../../../kernel/time.ts'
import { LoadFailure, EmptyState, LoadingRows } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { userName } from '../../users/state.ts'
import {
  startExport,
  deleteExport,
  useExports,
  useExportConsents,
  type DataExport,
  type ExportType,
} from '../actions.ts'
import './exports.css'

const EXPORT_TYPES: readonly ExportType[] = [dataExports.EXPORT_TYPE.public, dataExports.EXPORT_TYPE.fullWithConsent]

export const exportSettings: SettingsGroup = {
  settings: [
    {
      id: 'archives',
      kind: 'part',
      title: () => ta().exports.archives,
      note: () => ta().exports.archivesMore,
      Part: Exports,
    },
    {
      id: 'consents',
      kind: 'part',
      title: () => ta().exports.consents,
      note: () => ta().exports.consentsMore,
      Part: ExportConsents,
    },
  ],
}

function Exports() {
  const { value: all, hasFailed, again } = useExports()
  return (
    <div class="form">
      <StartExportForm />
      {hasFailed && all === undefined && <LoadFailure again={again} />}
      {all === undefined && !hasFailed && <LoadingRows rows={2} />}
      {all?.length === 0 && <EmptyState icon="archive" title={ta().exports.none} more={ta().exports.noneMore} />}
      {all !== undefined && (
        <ul class="listed" aria-label={ta().exports.archives}>
          {all.map((one) => (
            <li key={one.id} class="listed-row">
              <ExportArchive archive={one} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function StartExportForm() {
  const [type, setType] = useState<ExportType>(EXPORT_TYPES[0] ?? 1)
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const start = async (): Promise<void> => {
    setBusy(true)
    await run(async () => startExport(type))
    setBusy(false)
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <fieldset class="export-types" aria-label={ta().exports.what}>
        {EXPORT_TYPES.map((one) => (
          <label key={one} class="export-type">
            <input type="radio" name="export-type" checked={type === one} onChange={() => setType(one)} />
            <span>
              {ta().exports.types[one]}
              <span class="note">{ta().exports.typesMore[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <button class="button primary" type="submit" disabled={isBusy}>
          {ta().exports.begin}
        </button>
      </div>
      {refusal}
    </form>
  )
}

function ExportArchive({ archive }: { readonly archive: DataExport }) {
  const [refusal, run] = useRefusal()
  const { export_time: begun, export_url: url, export_type: type, acting_user_id: by } = archive
  const when = `${dayTitle(begun)} ${timeOfDay(begun)}`
  const titles: Readonly<Record<number, string | undefined>> = ta().exports.types
  const ask = (): void =>
    askConfirmation({
      text: ta().exports.removeSure(when),
      action: ta().exports.remove,
      run: () => void run(async () => deleteExport(archive)),
    })
  return (
    <>
      <span class="listed-name">
        {titles[type] ?? titles[EXPORT_TYPES[0] ?? 1]}
        <span class="note" title={fullTime(begun)}>
          {ta().exports.begunBy(when, userName(by))}
        </span>
      </span>
      {url === null ? (
        <span class="note">{exportStateText(archive)}</span>
      ) : (
        <>
          <a class="button" href={new URL(url).pathname} download aria-label={ta().exports.fetchOf(when)}>
            {ta().exports.fetch}
          </a>
          <button class="button" aria-label={ta().exports.removeOf(when)} onClick={ask}>
            {ta().exports.remove}
          </button>
        </>
      )}
      {refusal}
    </>
  )
}

function exportStateText({ pending, failed_timestamp: failed, deleted_timestamp: deleted }: DataExport): string {
  if (deleted !== null) return ta().exports.removed
  if (failed !== null) return ta().exports.failed
  return pending ? ta().exports.pending : ''
}

function ExportConsents() {
  const { value: all, hasFailed, again } = useExportConsents()
  if (all === undefined) return hasFailed ? <LoadFailure again={again} /> : <LoadingRows rows={1} />
  const names = all
    .filter(({ consented }) => consented)
    .map(({ user_id: id }) => ({ id, name: userName(id) }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <details>
      <summary>{ta().exports.consenting(names.length, all.length)}</summary>
      <ul class="listed" aria-label={ta().exports.consents}>
        {names.map(({ id, name }) => (
          <li key={id} class="listed-row">
            <bdi class="listed-name">{name}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}
