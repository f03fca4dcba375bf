import { testUsability } from './every-view.ts'
import { isSettingsGroup, VIEW_GROUPS } from './views.ts'

testUsability(VIEW_GROUPS.filter(isSettingsGroup).slice(4))
