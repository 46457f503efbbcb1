print("appboot")
