import { useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { FormDialog, NameField } from '../../../platform/overlay/form-dialog.tsx'
import { addView, renameView } from '../actions.ts'
import { closeViews, naming } from '../open.ts'
import { ViewList } from './view-list.tsx'

export function ViewsDialog() {
  return (
    <Dialog title={t().nav.editViews} onClose={closeViews}>
      <ViewList />
    </Dialog>
  )
}

/** The server's limit in code points. */
const MOST_CHARACTERS = 100

function close(): void {
  naming.value = undefined
}

export function NameDialog() {
  const { value: named } = naming
  return named === undefined ? null : <OpenNameDialog key={named.fragment} {...named} />
}

function OpenNameDialog({ fragment, name: before, view }: NonNullable<typeof naming.value>) {
  const [name, setName] = useState(before.slice(0, MOST_CHARACTERS))
  const save = async (): Promise<void> => {
    const trimmed = name.trim()
    await (view === undefined ? addView(fragment, trimmed) : renameView(view, trimmed))
    close()
  }
  return (
    <FormDialog
      title={view === undefined ? t().nav.addView : t().nav.rename}
      action={view === undefined ? t().nav.add : t().nav.rename}
      save={save}
      onClose={close}
    >
      <NameField label={t().nav.viewName} value={name} maxLength={MOST_CHARACTERS} onChange={setName} />
    </FormDialog>
  )
}
