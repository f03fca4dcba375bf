import { call } from '@parley/client'
import { dataExports } from '@parley/server/contract'
import { useEffect } from 'preact/hooks'
import { sync } from '../../platform/client.ts'
import { useFetched } from '../../platform/list/fetched.ts'
import { SESSION } from '../../platform/sync/sync.ts'
import { withConfirmation } from '../sessions/confirming.ts'

export type DataExport = dataExports.DataExport
export type ExportType = (typeof dataExports.EXPORT_TYPE)[keyof typeof dataExports.EXPORT_TYPE]

export function useExports() {
  const asked = useFetched(readExports, 'exports')
  useReloadOnEvent('realm_export', asked.again)
  return asked
}

async function readExports(signal: AbortSignal): Promise<readonly DataExport[]> {
  return (await call(SESSION, dataExports.getDataExports, {}, { signal })).exports.toReversed()
}

export function useExportConsents() {
  const asked = useFetched(readExportConsents, 'consents')
  useReloadOnEvent('realm_export_consent', asked.again)
  return asked
}

async function readExportConsents(signal: AbortSignal) {
  return (await call(SESSION, dataExports.getExportConsents, {}, { signal })).export_consents
}

function useReloadOnEvent(wanted: string, again: () => void): void {
  useEffect(() => {
    const onEvent = ({ type }: { readonly type: string }): void => {
      if (type === wanted) again()
    }
    const ends = [sync.listen(onEvent), sync.onBeginning(again)]
    return () => {
      for (const end of ends) end()
    }
  }, [])
}

export async function startExport(type: ExportType): Promise<void> {
  await withConfirmation(async () => call(SESSION, dataExports.createDataExport, { export_type: type }))
}

export async function deleteExport({ id }: DataExport): Promise<void> {
  await call(SESSION, dataExports.deleteDataExport, { export_id: id })
}
