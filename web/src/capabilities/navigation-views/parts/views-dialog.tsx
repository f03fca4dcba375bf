import { t } from '../../../kernel/strings.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { closeViews } from '../open.ts'
import { ViewList } from './view-list.tsx'

export function ViewsDialog() {
  return (
    <Dialog title={t().nav.editViews} onClose={closeViews}>
      <ViewList />
    </Dialog>
  )
}
