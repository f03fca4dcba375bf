import { useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { FormDialog, NameField } from '../../../platform/overlay/form-dialog.tsx'
import { addView, renameView } from '../actions.ts'
import { closeViewsDialog, viewToName } from '../state.ts'
import { ViewList } from './view-list.tsx'

export function ViewsDialog() {
  return (
    <Dialog title={t().nav.editViews} onClose={closeViewsDialog}>
      <ViewList />
    </Dialog>
  )
}

/** The server's limit in code points. */
const MAX_VIEW_NAME_CHARACTERS = 100

function closeNameDialog(): void {
  viewToName.value = undefined
}

export function NameDialog() {
  const { value: named } = viewToName
  return named === undefined ? null : <OpenNameDialog key={named.fragment} {...named} />
}

function OpenNameDialog({ fragment, name: before, view }: NonNullable<typeof viewToName.value>) {
  const [name, setName] = useState(before.slice(0, MAX_VIEW_NAME_CHARACTERS))
  const save = async (): Promise<void> => {
    const trimmed = name.trim()
    await (view === undefined ? addView(fragment, trimmed) : renameView(view, trimmed))
    closeNameDialog()
  }
  return (
    <FormDialog
      title={view === undefined ? t().nav.addView : t().nav.rename}
      action={view === undefined ? t().nav.add : t().nav.rename}
      save={save}
      onClose={closeNameDialog}
    >
      <NameField label={tl().views.viewName} value={name} maxLength={MAX_VIEW_NAME_CHARACTERS} onChange={setName} />
    </FormDialog>
  )
}
