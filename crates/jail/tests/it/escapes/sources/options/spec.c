*cc1:
cc1 %(no_such_spec) @SECRET@

*link:
@SECRET@
