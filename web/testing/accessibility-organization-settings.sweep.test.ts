import { testUsability } from './every-view.ts'
import { isOfSettings, VIEW_GROUPS } from './views.ts'

testUsability(VIEW_GROUPS.filter(isOfSettings).slice(2, 4))
