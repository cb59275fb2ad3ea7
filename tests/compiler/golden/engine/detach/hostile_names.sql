DETACH "ware""house"
